/** The filters of the case list, kept in the address so that a view can be shared as a link. */
export interface CasesSearch {
  readonly view?: 'tree' | 'board' | 'list'
  readonly text?: string
  readonly type?: string
  readonly status?: string
  readonly tag?: string
}
