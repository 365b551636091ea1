import type { MetadataSources } from '@carrel/api'
import type { ReadDb } from '../../../../database/database.ts'
import { foldWithoutSpelling } from '../../../../platform/text/sort-key.ts'
import { inLayers, readLayers, type SeriesShown } from '../../../metadata/metadata.ts'
import type { Viewer } from '../../../visibility/visibility.ts'
import { byPath, claimsIn } from './claims.ts'
import type { Tally } from './derive.ts'
import { countSeenBooks, selectSeenClaims } from './queries.ts'
import { changedRows, readTallies, talliesOf } from './tally.ts'

/**
 * It says of each value that comes from the books of a series how many of them say it (C20). For somebody from whom books are hidden
 * those are counted that they see: all that they are told comes from them.
 */
export const withBooksBehind = async (
  db: ReadDb,
  viewer: Viewer,
  seriesId: string,
  sources: MetadataSources,
): Promise<MetadataSources> => {
  const { present, seen } = await countSeenBooks(db, viewer, seriesId)
  const claimed = present === seen ? undefined : await selectSeenClaims(db, viewer, seriesId)
  const tally = claimed ? tallyOf(seriesId, claimed) : (await readTallies(db, [seriesId])).get(seriesId)
  if (!tally) return sources
  const summaryFrom = claimed ? numberOfFirst(claimed) : await readSummaryFrom(db, seriesId)
  const fields = Object.entries(sources.fields).map(([field, { values, ...rest }]) => {
    const counted = values.map((each) => {
      const claim = claimBehind(each.source, inLayers(field))
      if (claim === undefined) return each
      const number = field === 'summary' ? { summaryFrom } : {}
      return { ...each, books: booksBehind(tally, claim, each.value), of: seen, ...number }
    })
    return [field, { ...rest, values: counted }] as const
  })
  return { fields: Object.fromEntries(fields) }
}

/** What claims call a field of a layer that comes from books. */
const claimBehind = (source: string, field: string): string | undefined => {
  if (source === 'path') return byPath(field)
  return source.startsWith('file:') ? field : undefined
}

/** It counts the books that say anything of the kind, for a list, and for anything else those that say just this. */
const booksBehind = (tally: Tally, field: string, value: unknown): number => {
  const any = tally.get(`any:${field}`)?.get('true')
  const values = tally.get(field)
  if (any !== undefined) return any
  if (field === 'summary') return values?.get('true') ?? 0
  const name = (text: string) => foldWithoutSpelling(String(JSON.parse(text))) || text
  const expected = name(JSON.stringify(value))
  return [...(values ?? [])].reduce((sum, [text, books]) => sum + (name(text) === expected ? books : 0), 0)
}

type SeenClaims = Awaited<ReturnType<typeof selectSeenClaims>>

const tallyOf = (seriesId: string, claimed: SeenClaims): Tally | undefined =>
  talliesOf(changedRows(claimed.map(({ claims }) => ({ seriesId, claims, books: 1 })))).get(seriesId)

/** It returns the number of the first book that has a summary. */
const numberOfFirst = (claimed: SeenClaims): string | null =>
  claimed.find(({ claims }) => claimsIn(claims)['summary'] !== undefined)?.number_text ?? null

const readSummaryFrom = async (db: ReadDb, seriesId: string): Promise<string | null> => {
  const layers = (await readLayers<SeriesShown & { readonly summaryFrom?: string | null }>(db, [seriesId])).get(
    seriesId,
  )
  return layers?.find(({ source }) => source.startsWith('file:'))?.fields.summaryFrom ?? null
}
