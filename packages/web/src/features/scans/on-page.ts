export const scansOnPage = 10
export const itemsOnPage = 50

/** What counts the books of a library that have their file, and all of them. */
export const countsOf = (libraryId: string) => {
  const query = { libraryId, pageSize: 1 }
  return [{ query }, { query: { ...query, includeDeleted: true } }] as const
}
