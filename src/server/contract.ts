/**
 * What the server and whoever shows it have agreed upon. Types alone, from files without Node in them, so that a
 * program in a browser can import this page.
 */
export type * from './contract/answers.ts'
export type * from './contract/case-detail.ts'
export type * from './contract/person-command.ts'
export type * from './contract/reading.ts'
export type * from './contract/rows.ts'
export type * from './contract/stream.ts'
