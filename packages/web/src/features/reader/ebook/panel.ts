export type DrawerTab = 'contents' | 'search'

/** What is open over the text. */
export type Panel = DrawerTab | 'settings' | 'end'
