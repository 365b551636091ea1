import type { ReadDb, WriteDb } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import { sortKey } from '../../platform/text/sort-key.ts'
import { indexDocuments } from '../search-index/search-index.ts'
import {
  deleteTermsOf,
  insertTerms,
  insertTermsOf,
  selectSeriesTerms,
  selectTermIds,
  selectTermsOf,
  setTermRatings,
} from './queries.ts'
import type { TermTables } from './table.ts'
import { termKey } from './term-key.ts'

export { termKey } from './term-key.ts'
export { writersIn, writersOf } from './writers.ts'

export type TermKind = TermTables['term']['kind']

/** What is shown of a book or a series that it can be looked up by. */
interface TermFields {
  readonly genres?: readonly string[]
  readonly tags?: readonly string[]
  readonly authors?: readonly { readonly name: string; readonly role?: string | null }[]
}

export interface TermsOf {
  readonly id: string
  readonly fields: TermFields
  /** There were some before, which these replace. */
  readonly hadAny: boolean
}

export interface Mention {
  readonly id: string
  readonly kind: TermKind
  readonly name: string
  readonly key: string
  readonly role: string
  readonly place: number
}

/** Writes down by what these can be looked up, in the order it is said. New terms are made on the way. */
export const upsertTerms = async (
  db: WriteDb,
  entity: 'series' | 'book',
  of: readonly TermsOf[],
  now: Date,
): Promise<void> => {
  await deleteTermsOf(
    db,
    entity,
    of.filter(({ hadAny }) => hadAny).map(({ id }) => id),
  )
  const mentions = of.flatMap(mentionsIn)
  if (mentions.length === 0) return
  const idOf = await termIds(db, mentions, now)
  const rows = new Map(
    mentions.flatMap(({ id, kind, key, role, place }) => {
      const termId = idOf.get(`${kind} ${key}`)
      return termId === undefined ? [] : [[`${id} ${termId} ${role}`, { id, termId, role, place }] as const]
    }),
  )
  await insertTermsOf(db, entity, [...rows.values()])
}

interface RatedTerms {
  /** What is shown of series from which rating, the lowest first. */
  readonly among: readonly { readonly id: string; readonly from: number; readonly fields: TermFields }[]
  /** By series: from which rating all is shown. A series that is not named shows all to whoever sees it. */
  readonly strictest: ReadonlyMap<string, number>
}

/** Writes down which terms of series only some of those see who see the series. */
export const rateTermsOfSeries = async (
  db: WriteDb,
  seriesIds: readonly string[],
  { among, strictest }: RatedTerms,
): Promise<void> => {
  const lowest = new Map(among.toReversed().map(({ id, from }) => [id, from]))
  const nameOf = (id: string, { kind, key, role }: Pick<Mention, 'kind' | 'key' | 'role'>) =>
    `${id} ${kind} ${key} ${role}`
  const from = new Map(
    among
      .toReversed()
      .flatMap((each) =>
        mentionsIn({ ...each, hadAny: false }).map((term) => [nameOf(each.id, term), each.from] as const),
      ),
  )
  const rows = await selectSeriesTerms(db, seriesIds)
  const rated = rows.map((row) => {
    const rating = from.get(nameOf(row.series_id, row)) ?? strictest.get(row.series_id) ?? null
    return { ...row, rating: rating === lowest.get(row.series_id) ? null : rating }
  })
  await setTermRatings(
    db,
    rated
      .filter(({ rating, from_rating }) => rating !== from_rating)
      .map(({ series_id, term_id, role, rating }) => ({ series_id, term_id, role, from_rating: rating })),
  )
}

/** It returns the entities whose stored terms differ from those that are said of them. */
export const selectOtherTerms = async (
  db: ReadDb,
  entity: 'series' | 'book',
  of: readonly Omit<TermsOf, 'hadAny'>[],
): Promise<readonly string[]> => {
  const rows = await selectTermsOf(
    db,
    entity,
    of.map(({ id }) => id),
  )
  const rowsByEntity = Map.groupBy(rows, ({ id }) => id)
  const wordsOf = (terms: readonly Pick<Mention, 'kind' | 'key' | 'role' | 'place'>[]): string => {
    const positions = new Map(terms.map(({ kind, key, role, place }) => [`${kind} ${key} ${role}`, place]))
    return [...positions]
      .map(([name, position]) => `${name} ${position}`)
      .sort()
      .join('\n')
  }
  return of
    .filter((each) => wordsOf(mentionsIn({ ...each, hadAny: false })) !== wordsOf(rowsByEntity.get(each.id) ?? []))
    .map(({ id }) => id)
}

export const mentionsIn = ({ id, fields: { genres = [], tags = [], authors = [] } }: TermsOf): Mention[] => {
  const named = (kind: TermKind, names: readonly { name: string; role?: string | null }[]): Mention[] =>
    // The last of those that are the same is kept: backwards, that is the first.
    names.map(({ name, role }, place) => ({ id, kind, name, key: termKey(name), role: role ?? '', place })).toReversed()
  return [
    ...named(
      'genre',
      genres.map((name) => ({ name })),
    ),
    ...named(
      'tag',
      tags.map((name) => ({ name })),
    ),
    ...named('person', authors),
  ]
}

/** Made in the order of their keys, so that two that make the same do not wait for each other in a circle. */
const termIds = async (db: WriteDb, mentions: readonly Mention[], now: Date): Promise<ReadonlyMap<string, string>> => {
  const byKey = new Map(mentions.map((each) => [`${each.kind} ${each.key}`, each]))
  const idsByKey = await selectTermIds(db, [...byKey.values()])
  const missing = [...byKey].filter(([name]) => !idsByKey.has(name)).sort(([one], [other]) => (one < other ? -1 : 1))
  if (missing.length === 0) return idsByKey
  await insertTerms(
    db,
    missing.map(([, { kind, name, key }]) => ({
      id: newId(now.getTime()),
      kind,
      name,
      key,
      sort_key: sortKey(name),
      created_at: now.toISOString(),
    })),
  )
  const made = await selectTermIds(
    db,
    missing.map(([, mention]) => mention),
  )
  await indexDocuments(db, 'term', [...made.values()])
  return new Map([...idsByKey, ...made])
}
