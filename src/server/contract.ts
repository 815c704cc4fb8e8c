/**
 * The contract between the server and its clients. Only types, from files without Node imports, so that a
 * program in a browser can import it.
 */
export type * from './contract/answers.ts'
export type * from './contract/case-detail.ts'
export type * from './contract/person-command.ts'
export type * from './contract/reading.ts'
export type * from './contract/rows.ts'
export type * from './contract/stream.ts'
