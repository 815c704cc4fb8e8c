import { useState } from 'react'
import type { DiffFile, DiffHunk, LineComment } from '../../../../src/server/contract.ts'
import { Button } from '../../parts/button.tsx'
import { keyed } from '../../parts/keyed.ts'
import { numberLines } from './number-lines.ts'

type Add = (line: number, side: 'old' | 'new', text: string) => void

export function DiffFileView({
  file,
  comments,
  add,
}: {
  readonly file: DiffFile
  readonly comments: readonly LineComment[]
  readonly add: Add
}) {
  return (
    <details open className="overflow-hidden rounded-lg border border-line bg-surface">
      <summary className="flex flex-wrap gap-3 border-b border-line px-3 py-1.5">
        <code className="font-mono text-sm break-all">
          {file.oldPath && file.oldPath !== file.path ? `${file.oldPath} → ` : ''}
          {file.path}
        </code>
        <span className="text-sm text-soft">{file.kind}</span>
        <span className="ml-auto text-sm">
          <span className="text-good">+{file.linesAdded}</span>{' '}
          <span className="text-bad">−{file.linesRemoved}</span>
        </span>
      </summary>
      {file.binary ? <p className="p-3 text-soft">Not text.</p> : null}
      {file.hunks === null ? (
        <p className="p-3 text-soft">Too long to show here: axiom logs and git show it.</p>
      ) : null}
      <div className="overflow-x-auto font-mono text-xs leading-5">
        {file.hunks?.map((hunk) => (
          <Hunk key={`${hunk.oldStart} ${hunk.newStart}`} hunk={hunk} comments={comments} add={add} />
        ))}
      </div>
    </details>
  )
}

const LOOKS = {
  both: { row: '', sign: ' ' },
  old: { row: 'bg-removed', sign: '−' },
  new: { row: 'bg-added', sign: '+' },
} as const

function Hunk({
  hunk,
  comments,
  add,
}: {
  readonly hunk: DiffHunk
  readonly comments: readonly LineComment[]
  readonly add: Add
}) {
  const [open, setOpen] = useState<string | undefined>(undefined)
  return (
    <div>
      <p className="bg-raised px-3 text-soft">
        @@ −{hunk.oldStart},{hunk.oldLines} +{hunk.newStart},{hunk.newLines} @@ {hunk.heading}
      </p>
      {numberLines(hunk).map(({ line, old, now }) => {
        const side = line.side === 'old' ? 'old' : 'new'
        const number = (side === 'old' ? old : now) ?? 0
        const key = `${side} ${number}`
        return (
          <div key={`${line.side} ${old} ${now}`}>
            <div className={`flex ${LOOKS[line.side].row}`}>
              <button
                type="button"
                aria-label={`${old ?? ''} ${now ?? ''} Comment on line ${number}`.trim()}
                className="w-24 shrink-0 px-2 text-right text-soft hover:underline"
                onClick={() => setOpen(open === key ? undefined : key)}
              >
                {old ?? ''} {now ?? ''}
              </button>
              <span aria-hidden="true" className="w-4 shrink-0 select-none">
                {LOOKS[line.side].sign}
              </span>
              <span className="pr-3 whitespace-pre">{line.text}</span>
            </div>
            {keyed(
              comments.filter((comment) => comment.line === number && comment.side === side),
              ({ text }) => text,
            ).map(({ key: name, item: comment }) => (
              <p key={name} className="border-l-4 border-accent bg-raised px-3 py-1 font-sans text-sm">
                {comment.text}
              </p>
            ))}
            {open === key ? (
              <CommentForm
                line={number}
                save={(text) => {
                  add(number, side, text)
                  setOpen(undefined)
                }}
              />
            ) : null}
          </div>
        )
      })}
    </div>
  )
}

function CommentForm({ line, save }: { readonly line: number; readonly save: (text: string) => void }) {
  const [text, setText] = useState('')
  return (
    <form
      className="flex gap-2 bg-raised p-2 font-sans text-sm"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') save(text.trim())
      }}
    >
      <label className="grow">
        <span className="sr-only">Comment on line {line}</span>
        <textarea
          ref={(area) => area?.focus()}
          rows={2}
          className="w-full rounded-md border border-line bg-surface px-2 py-1"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <Button type="submit" disabled={text.trim() === ''}>
        Add
      </Button>
    </form>
  )
}
