export type DrawerTab = 'contents' | 'search' | 'marks'

/** What is open over the text. */
export type Panel = DrawerTab | 'settings' | 'end'
