/** What lies above the page, if anything does. */
export type Overlay = 'palette' | 'help' | undefined
