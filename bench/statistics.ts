export const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

/** The values are sorted; the result lies between the two nearest. */
export const quantile = (sorted: readonly number[], share: number): number => {
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)]
  const above = sorted[Math.ceil(position)]
  if (below === undefined || above === undefined) throw new Error('Nothing was measured')
  return below + (above - below) * (position - Math.floor(position))
}
