import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CaseDetail, Diff, LineComment } from '../../../../src/server/contract.ts'
import { Action } from '../../parts/action.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { plural } from '../../parts/format.ts'
import { useWiring } from '../../state/use-rows.ts'
import { DiffFileView } from './diff-file.tsx'

/** What the work changes; a comment on a line goes back to the agent. */
export function CaseDiff({ detail }: { readonly detail: CaseDetail }) {
  const { client } = useWiring()
  const { id, rev } = detail.summary
  const [comments, setComments] = useState<readonly LineComment[]>([])
  const { data: diff, error } = useQuery({
    queryKey: ['diff', id, rev],
    queryFn: ({ signal }) => client.get<Diff>(`/api/cases/${id}/diff`, signal),
    placeholderData: (before) => before,
  })
  if (error && !diff) return <EmptyState title="There is no change to show yet">{error.message}</EmptyState>
  if (!diff) return <p className="text-soft">Reading the change…</p>
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center gap-3 text-sm text-soft">
        {plural(diff.files.length, 'file')}, <span className="text-good">+{diff.linesAdded}</span>{' '}
        <span className="text-bad">−{diff.linesRemoved}</span>
        <code className="font-mono">
          {diff.base.slice(0, 10)}..{diff.commit.slice(0, 10)}
        </code>
        {comments.length > 0 ? (
          <Action
            tone="primary"
            command={{ kind: 'comment', task: id, comments }}
            onDone={() => setComments([])}
          >
            Send {plural(comments.length, 'comment')} to the agent
          </Action>
        ) : (
          <span>Choose a line number to comment on it.</span>
        )}
      </p>
      <div className="flex flex-col gap-3">
        {diff.files.map((file) => (
          <DiffFileView
            key={file.path}
            file={file}
            comments={comments.filter((comment) => comment.file === file.path)}
            add={(line, side, text) =>
              setComments([...comments, { commit: diff.commit, file: file.path, line, side, text }])
            }
          />
        ))}
      </div>
    </>
  )
}
