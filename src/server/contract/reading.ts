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
 * A piece of a log: whole lines, and where they lie. `?from=N&bytes=M` reads from a byte on,
 * `?before=N&bytes=M` what stands before a byte. A last line without its end is left for the next question.
 */
export interface LogRange {
  readonly agents: string
  readonly file: string
  readonly bytes: number
  readonly from: number
  readonly to: number
  readonly text: string
}

/** `GET /api/cases/{id}/diff[?commit=…][&path=…]`: what the work changes, against where it began. */
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
  /** What git finds worth saying about the place: the function around it. */
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
  /** The beginning, when the file is longer than is shown. */
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
