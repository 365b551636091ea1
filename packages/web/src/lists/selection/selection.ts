/** It holds the chosen entries of a list, and where a range would begin. */
export interface Selection<Item> {
  readonly items: ReadonlyMap<string, Item>
  readonly anchor: number | undefined
}

interface Identified {
  readonly id: string
}

export const nothingSelected = { items: new Map<string, never>(), anchor: undefined } as const

export const withToggled = <Item extends Identified>(
  { items }: Selection<Item>,
  index: number,
  item: Item,
): Selection<Item> => {
  const next = new Map(items)
  if (!next.delete(item.id)) next.set(item.id, item)
  return { items: next, anchor: index }
}

/** It adds everything between the last entry and this one, both included; earlier choices stay. */
export const withRange = <Item extends Identified>(
  { items }: Selection<Item>,
  index: number,
  range: readonly Item[],
): Selection<Item> => ({ items: new Map([...items, ...range.map((item) => [item.id, item] as const)]), anchor: index })

export interface Range {
  readonly from: number
  readonly to: number
}

export const rangeBetween = (anchor: number | undefined, index: number): Range => {
  const begin = anchor ?? index
  return { from: Math.min(begin, index), to: Math.max(begin, index) }
}

/** It returns which pages hold the range, and which part of each page belongs to it. */
export const pagesOf = ({ from, to }: Range, pageSize: number): { page: number; start: number; end: number }[] => {
  const first = Math.floor(from / pageSize)
  const last = Math.floor(to / pageSize)
  return Array.from({ length: last - first + 1 }, (_, each) => {
    const begin = (first + each) * pageSize
    return {
      page: first + each + 1,
      start: Math.max(0, from - begin),
      end: Math.min(pageSize, to - begin + 1),
    }
  })
}
