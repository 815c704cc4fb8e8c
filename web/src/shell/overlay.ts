/** The open overlay, if any. */
export type Overlay = 'palette' | 'help' | undefined
