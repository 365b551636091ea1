import type { MetadataSources } from '@carrel/api'
import type { ReadDb } from '../../../../database/database.ts'
import { foldWithoutSpelling } from '../../../../platform/text/sort-key.ts'
import { inLayers, readLayers, type SeriesShown } from '../../../metadata/metadata.ts'
import type { Viewer } from '../../../visibility/visibility.ts'
import { byPath } from './claims.ts'
import type { Tally } from './derive.ts'
import { countSeenBooks } from './queries.ts'
import { readTallies } from './tally.ts'

/**
 * It says of each value that comes from the books of a series how many of them say it (C20). Somebody from whom books are hidden is
 * told the values alone: the numbers would tell of those books.
 */
export const withBooksBehind = async (
  db: ReadDb,
  viewer: Viewer,
  seriesId: string,
  sources: MetadataSources,
): Promise<MetadataSources> => {
  const { present, seen } = await countSeenBooks(db, viewer, seriesId)
  const tally = (await readTallies(db, [seriesId])).get(seriesId)
  if (present !== seen || !tally) return sources
  const summaryFrom = await readSummaryFrom(db, seriesId)
  const fields = Object.entries(sources.fields).map(([field, { values, ...rest }]) => {
    const counted = values.map((each) => {
      const claim = claimBehind(each.source, inLayers(field))
      if (claim === undefined) return each
      const number = field === 'summary' ? { summaryFrom } : {}
      return { ...each, books: booksBehind(tally, claim, each.value), of: present, ...number }
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

const readSummaryFrom = async (db: ReadDb, seriesId: string): Promise<string | null> => {
  const layers = (await readLayers<SeriesShown & { readonly summaryFrom?: string | null }>(db, [seriesId])).get(
    seriesId,
  )
  return layers?.find(({ source }) => source.startsWith('file:'))?.fields.summaryFrom ?? null
}
