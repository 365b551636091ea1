/** The routes know it, which every page loads: nothing else is to stand here. */
export const everyLibrary = { query: { pageSize: 500 } } as const
