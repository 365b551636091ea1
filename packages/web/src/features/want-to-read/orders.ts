/** The list is ordered by hand, or by when an entry was added. */
export const wantToReadOrders = ['custom', 'newest', 'oldest'] as const
export type WantToReadSort = (typeof wantToReadOrders)[number]
