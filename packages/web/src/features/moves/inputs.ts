/** One page of what people have put somewhere in a library; asked for by its route and its page. */
export const overridesInput = (libraryId: string, page = 1) =>
  ({ params: { id: libraryId }, query: { page, pageSize: 50 } }) as const
