/** The settings that limit how much may be asked. */
export const limitsInput = { query: { category: 'rate_limit' } }
