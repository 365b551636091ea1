/** As many as a list of libraries answers at once. */
export const everyLibrary = { query: { pageSize: 500 } }

const matchesOnPage = 20

/** What waits for somebody to look at it. */
export const waitingInput = (page: number | undefined, libraryId: string | undefined) => ({
  query: { page: page ?? 1, pageSize: matchesOnPage, ...(libraryId !== undefined && { libraryId }) },
})
