/** The route asks for them, and the page shows them: both have to ask for the same. */
export const marksOfBook = (id: string) => ({ params: { id }, query: { pageSize: 100 } })
