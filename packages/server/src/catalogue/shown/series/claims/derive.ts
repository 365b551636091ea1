import { agreedTitle, gatherAlike, type CountedValues } from '../../../../naming/agreed-title.ts'
import { sortKey } from '../../../../platform/text/sort-key.ts'
import type { ServiceId, SeriesShown } from '../../../metadata/metadata.ts'
import { byPath, type Claims, rules } from './claims.ts'

/** How many books of a series claim each value of each field. */
export type Tally = ReadonlyMap<string, ReadonlyMap<string, number>>

/** What all books of a series together say it is, and what only the order of the books can settle. */
export interface Derived {
  /** One of what their files say, and one of what their paths say. */
  readonly layers: readonly DerivedLayer[]
  /** Some book has a summary; that of the first in order is taken. */
  readonly hasSummary: boolean
}

export interface DerivedLayer {
  readonly source: string
  readonly fields: SeriesShown
  /** What claims call a field of this layer. */
  readonly claimOf: (field: string) => string
  /** Values of these fields are claimed by as many books: the first book in order that claims one of them decides. */
  readonly tied: ReadonlyMap<string, readonly string[]>
}

const listMax = 200

/** Null when no book says anything. The parts that `tied` and `hasSummary` name are still to be settled. */
export const derive = (tally: Tally): Derived | null => {
  if (tally.size === 0) return null
  const [kind] = top(tally.get('kind'))
  const ofPaths = deriveLayer(tally, 'path', byPath)
  const ofFiles =
    kind === undefined
      ? []
      : [
          withoutLaterYear(
            deriveLayer(tally, `file:${String(JSON.parse(kind))}`, (field) => field),
            ofPaths,
          ),
        ]
  return {
    layers: [...ofFiles, ...(Object.keys(ofPaths.fields).length === 0 ? [] : [ofPaths])],
    hasSummary: tally.has('summary'),
  }
}

/** The earliest year holds, wherever it is said; of everything else a file goes before all paths. */
const withoutLaterYear = (ofFiles: DerivedLayer, ofPaths: DerivedLayer): DerivedLayer => {
  const { year, ...fields } = ofFiles.fields
  return (year ?? 0) > (ofPaths.fields.year ?? Number.POSITIVE_INFINITY) ? { ...ofFiles, fields } : ofFiles
}

const deriveLayer = (tally: Tally, source: string, claimOf: (field: string) => string): DerivedLayer => {
  const valuesOf = (field: string): CountedValues => tally.get(claimOf(field))
  const tied = new Map<string, readonly string[]>()
  const fields: Record<string, unknown> = {}
  const title = agreedTitle(valuesOf('title'))
  if (title !== undefined) fields['title'] = title
  for (const field of rules.mostFrequent) {
    const [value, ...others] = top(valuesOf(field))
    if (value === undefined) continue
    fields[field] = JSON.parse(value)
    if (others.length > 0) tied.set(field, [value, ...others])
  }
  // How a title is sorted says nothing of another title.
  if (title === undefined) {
    tied.delete('titleSort')
    delete fields['titleSort']
  }
  for (const field of rules.highest) setDefined(fields, field, Math.max(...numbersIn(valuesOf(field))))
  setDefined(fields, 'year', Math.min(...numbersIn(valuesOf('year'))))
  for (const field of rules.union) setList(fields, field, union(valuesOf(field)))
  setList(fields, 'externalIds', agreedIds(valuesOf('externalIds')))
  return { source, fields, claimOf, tied }
}

/** It says whether a book's claims settle a tie. */
export const settles = (claims: Claims, field: string, tied: readonly string[]): string | undefined =>
  claims[field]?.find((value) => tied.includes(value))

/** The values that most books claim, in a fixed order. */
const top = (values: CountedValues): string[] => {
  const most = Math.max(0, ...(values?.values() ?? []))
  return [...(values ?? [])]
    .filter(([, books]) => books === most)
    .map(([value]) => value)
    .sort()
}

/** The values that say most books come first, then those that are first by name. */
const union = (values: CountedValues): readonly unknown[] =>
  gatherAlike(values, nameOf)
    .map((group) => ({ ...group, name: sortKey(nameOf(group.value)) }))
    .sort((one, other) => other.books - one.books || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
    .slice(0, listMax)
    .map(({ value }) => value)

/** The ids of those services of which all books that have one name the same. */
const agreedIds = (values: CountedValues): readonly ServiceId[] => {
  const ids = [...(values?.keys() ?? [])].sort().map((text) => JSON.parse(text) as ServiceId)
  return [...Map.groupBy(ids, ({ source }) => source).values()].flatMap((ofSource) => {
    const [first] = ofSource
    return first && ofSource.every(({ id }) => id === first.id) ? [first] : []
  })
}

/** A person has a role beside the name, another title is told by its words, and any other row by all that it holds. */
const nameOf = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return String(value)
  const { name, title, role } = value as {
    readonly name?: string
    readonly title?: string
    readonly role?: string | null
  }
  return [name ?? title ?? JSON.stringify(value), role ?? ''].join(' ').trim()
}

const numbersIn = (values: CountedValues): number[] => [...(values?.keys() ?? [])].map(Number)

const setDefined = (fields: Record<string, unknown>, field: string, value: number): void => {
  if (Number.isFinite(value)) fields[field] = value
}
const setList = (fields: Record<string, unknown>, field: string, values: readonly unknown[]): void => {
  if (values.length > 0) fields[field] = values
}
