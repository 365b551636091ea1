import type { QueueSearch } from './match-search.ts'

/** As many as a list of libraries answers at once. */
export const everyLibrary = { query: { pageSize: 500 } }

const matchesOnPage = 20

/** What waits for somebody to look at it. */
export const waitingInput = ({ page = 1, library, of }: QueueSearch) => ({
  query: {
    entity: of ?? ('series' as const),
    page,
    pageSize: matchesOnPage,
    ...(library !== undefined && { libraryId: library }),
  },
})
