/** Chance that is the same each time, from one seed. */
export interface Chance {
  /** The number lies between 0 and 1, 1 excluded. */
  next(): number
  /** Whole, both ends in it. */
  between(least: number, most: number): number
  happens(probability: number): boolean
  oneOf<Item>(items: readonly Item[]): Item
  shuffled<Item>(items: readonly Item[]): Item[]
  uuid(): string
}

/** Mulberry32: plain arithmetic that anybody can do again. */
export const chanceFrom = (seed: number): Chance => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  const digits = (count: number): string => Array.from({ length: count }, () => between(0, 15).toString(16)).join('')
  return {
    next,
    between,
    happens: (probability) => next() < probability,
    oneOf: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('There is nothing to choose from')
      return item
    },
    shuffled: (items) =>
      items
        .map((item) => ({ item, rank: next() }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ item }) => item),
    uuid: () => `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`,
  }
}
