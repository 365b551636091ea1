/** What the shelf of the newest series asks for. */
export const newestSeries = { query: { sort: 'createdAt,desc', pageSize: 24 } } as const
