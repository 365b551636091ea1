export type DrawerTab = 'contents' | 'search' | 'marks'

/** It names the panel that is open over the text. */
export type Panel = DrawerTab | 'settings' | 'end'
