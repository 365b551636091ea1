/** The page size is the most that a list of libraries answers at once. */
export const everyLibrary = { query: { pageSize: 500 } }

export const failuresOnPage = 20

export const logInput = (id: string, before: string | undefined) => ({
  params: { id },
  query: { limit: 200, ...(before !== undefined && { before }) },
})

export const failuresInput = (id: string, page: number) => ({
  params: { id },
  query: { limit: failuresOnPage, offset: (page - 1) * failuresOnPage },
})
