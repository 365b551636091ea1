/** For lists to choose from: as many as a page may hold. */
export const every = { query: { pageSize: 500 } }
