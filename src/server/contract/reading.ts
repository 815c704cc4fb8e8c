import type { Instant } from '../../cases/case.ts'

/** A log that can be read by `GET /api/logs/{agents}/{file}`. */
export interface LogReference {
  /** The folder of the agents that wrote it, such as `echo`. */
  readonly agents: string
  readonly file: string
  readonly bytes: number
  readonly updatedAt: Instant
}

/**
 * A range of whole lines of a log, with its byte offsets. `?from=N&bytes=M` reads from an offset on,
 * `?before=N&bytes=M` what precedes an offset. An unfinished last line is left for the next request.
 */
export interface LogRange {
  readonly agents: string
  readonly file: string
  readonly bytes: number
  readonly from: number
  readonly to: number
  readonly text: string
}

/** `GET /api/cases/{id}/diff[?commit=…][&path=…]`: the changes of the work since its base. */
export interface Diff {
  readonly base: string
  readonly commit: string
  readonly files: readonly DiffFile[]
  readonly linesAdded: number
  readonly linesRemoved: number
}

export interface DiffFile {
  readonly path: string
  readonly oldPath: string | null
  readonly kind: 'added' | 'removed' | 'changed' | 'renamed' | 'copied' | 'mode' | 'type'
  readonly binary: boolean
  readonly linesAdded: number
  readonly linesRemoved: number
  /** Null when the whole answer would be too long: ask for this path alone. */
  readonly hunks: readonly DiffHunk[] | null
}

export interface DiffHunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** Git's hunk heading: the enclosing function. */
  readonly heading: string
  readonly lines: readonly DiffLine[]
}

export interface DiffLine {
  readonly side: 'both' | 'old' | 'new'
  readonly text: string
  /** The file ends here without a line feed. */
  readonly unfinished?: true
}

/** `GET /api/files?commit=…&path=…`: a file as a commit has it. */
export interface FileText {
  readonly commit: string
  readonly path: string
  readonly bytes: number
  readonly binary: boolean
  /** Only the beginning of a file that is too long. */
  readonly text: string
  readonly cut: boolean
}

/** `GET /api/trees?commit=…&path=…`. */
export interface Tree {
  readonly commit: string
  readonly path: string
  readonly entries: readonly {
    readonly name: string
    readonly kind: 'file' | 'folder' | 'link' | 'module'
    readonly bytes: number | null
  }[]
  readonly cut: boolean
}

/** `GET /api/blobs/{digest}`: evidence, findings, prompts. */
export interface BlobText {
  readonly digest: string
  readonly bytes: number
  readonly binary: boolean
  readonly text: string
  readonly cut: boolean
}
