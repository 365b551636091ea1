/** By hand, or by when it was put there. */
export const wantToReadOrders = ['custom', 'newest', 'oldest'] as const
