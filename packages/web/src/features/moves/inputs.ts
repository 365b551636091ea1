/** One page of what people have put somewhere in a library; read by its route and its page. */
export const overridesInput = (libraryId: string, page = 1) =>
  ({ params: { id: libraryId }, query: { page, pageSize: 50 } }) as const
