import { foldWithoutSpelling } from '../platform/text/sort-key.ts'

/** How many books say each value; the values are written as JSON. */
export type CountedValues = ReadonlyMap<string, number> | undefined

interface Gathered<Value> {
  readonly value: Value
  readonly books: number
}

/** The title on which more than half of the books that say one agree, in the spelling that most of those have. */
export const agreedTitle = (values: CountedValues): string | undefined => {
  const groups = gatherAlike<string>(values, String)
  const tagged = groups.reduce((sum, { books }) => sum + books, 0)
  return groups.find(({ books }) => books * 2 > tagged)?.value
}

/** Values that differ in case, accents or signs are one, in the spelling that most books have. */
export const gatherAlike = <Value>(
  values: CountedValues,
  nameOf: (value: Value) => string,
): readonly Gathered<Value>[] => {
  const parsed = [...(values ?? [])].map(([text, books]) => ({ text, books, value: JSON.parse(text) as Value }))
  const byName = Map.groupBy(parsed, ({ value, text }) => foldWithoutSpelling(nameOf(value)) || text)
  return [...byName.values()].flatMap((group) => {
    const [best] = group.toSorted((one, other) => other.books - one.books || (one.text < other.text ? -1 : 1))
    return best ? [{ value: best.value, books: group.reduce((sum, { books }) => sum + books, 0) }] : []
  })
}
