/** Lists to choose from ask for the most that a page may hold. */
export const every = { query: { pageSize: 500 } }

/** A user has fifty keys at most. */
export const keysInput = (userId: string) => ({ query: { userId, pageSize: 100 } })
