/** What of the list of cases is shown; it stands in the address, so that a view can be sent to somebody. */
export interface CasesSearch {
  readonly view?: 'tree' | 'board' | 'list'
  readonly text?: string
  readonly type?: string
  readonly status?: string
  readonly tag?: string
}
