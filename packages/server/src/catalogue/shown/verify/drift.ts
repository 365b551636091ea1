/** What is kept of books and series, and can be worked out again of what it follows from. */
export const projections = ['columns', 'claims', 'names', 'terms', 'ids', 'ratings', 'search', 'counts'] as const
export type Projection = (typeof projections)[number]

/** The books or series whose projection is not as it should be. */
export type Drift = ReadonlyMap<Projection, ReadonlySet<string>>

/** The columns whose kept values are not those that were worked out. */
export const differingColumns = (
  stored: Readonly<Record<string, unknown>>,
  workedOut: Readonly<Record<string, unknown>>,
  left: ReadonlySet<string>,
): string[] =>
  Object.entries(workedOut)
    .filter(([column, value]) => !left.has(column) && (stored[column] ?? null) !== (value ?? null))
    .map(([column]) => column)

export const idsIn = (drift: Drift): string[] => [...new Set([...drift.values()].flatMap((ids) => [...ids]))]
