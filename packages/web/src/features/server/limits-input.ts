/** The settings that limit how many requests are allowed. */
export const limitsInput = { query: { category: 'rate_limit' } }
