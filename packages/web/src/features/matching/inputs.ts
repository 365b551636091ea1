import type { QueueSearch } from './match-search.ts'

/** The page size is the most that a list of libraries answers at once. */
export const everyLibrary = { query: { pageSize: 500 } }

const matchesOnPage = 20

/** The query asks for matches that wait for a decision. */
export const waitingInput = ({ page = 1, library, of }: QueueSearch) => ({
  query: {
    entity: of ?? ('series' as const),
    page,
    pageSize: matchesOnPage,
    ...(library !== undefined && { libraryId: library }),
  },
})
