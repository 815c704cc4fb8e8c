import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { CaseDetail, Diff, LineComment } from '../../../../src/server/contract.ts'
import { ChoiceBox } from '../../parts/choice-box.tsx'
import { CommandButton } from '../../parts/command-button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { plural } from '../../parts/format.ts'
import { useWiring } from '../../state/use-rows.ts'
import { DiffFileView } from './diff-file.tsx'

const route = getRouteApi('/cases/$id')

/** The changes of the work; a comment on a line goes back to the agent. */
export function CaseDiff({ detail }: { readonly detail: CaseDetail }) {
  const { client } = useWiring()
  const { id, rev } = detail.summary
  const { commit } = route.useSearch()
  const [comments, setComments] = useState<readonly LineComment[]>([])
  const { data: diff, error } = useQuery({
    queryKey: ['diff', id, rev, commit],
    queryFn: ({ signal }) =>
      client.get<Diff>(
        `/api/cases/${id}/diff${commit ? `?commit=${encodeURIComponent(commit)}` : ''}`,
        signal,
      ),
    placeholderData: (before) => before,
  })
  if (error && !diff) return <EmptyState title="There is no change to show yet">{error.message}</EmptyState>
  if (!diff) return <p className="text-soft">Reading the change…</p>
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3 text-sm text-soft">
        <Attempts detail={detail} commit={commit} />
        {plural(diff.files.length, 'file')}, <span className="text-good">+{diff.linesAdded}</span>{' '}
        <span className="text-bad">−{diff.linesRemoved}</span>
        <code className="font-mono">
          {diff.base.slice(0, 10)}..{diff.commit.slice(0, 10)}
        </code>
        {comments.length > 0 ? (
          <CommandButton
            tone="primary"
            command={{ kind: 'comment', task: id, comments }}
            onDone={() => setComments([])}
          >
            Send {plural(comments.length, 'comment')} to the agent
          </CommandButton>
        ) : (
          <span>Choose a line number to comment on it.</span>
        )}
      </div>
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

/** All saved attempts; the newest is shown by default. */
function Attempts({ detail, commit }: { readonly detail: CaseDetail; readonly commit: string | undefined }) {
  const navigate = route.useNavigate()
  if (detail.work.length < 2) return null
  const names = new Map(detail.work.map((work) => [work.commit, `work ${work.number}`]))
  return (
    <ChoiceBox
      label="Of"
      none="the newest work"
      value={commit ?? ''}
      all={['', ...names.keys()]}
      name={(one) => names.get(one) ?? one}
      set={(one) => void navigate({ search: { tab: 'diff', ...(one === '' ? {} : { commit: one }) } })}
    />
  )
}
