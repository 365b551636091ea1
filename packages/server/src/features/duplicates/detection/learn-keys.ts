import type { ReadDb } from '../../../database/database.ts'
import type { TaskContext } from '../../../tasks/define-task.ts'
import { externalIdsIn } from '../../../catalogue/metadata/metadata.ts'
import { titleKey } from '../../../platform/text/name-keys.ts'
import { externalIdKey } from '../match-keys.ts'
import { type MatchKeyRow, replaceKeys, selectExternalIds, selectKeysOf, selectSeriesToKey } from './queries.ts'

const seriesAtOnce = 100

type SeriesToKey = Awaited<ReturnType<typeof selectSeriesToKey>>[number]
interface LibraryToLearn {
  readonly libraryId: string
  readonly changedOnly: boolean
}

/** It brings what the series of a library are compared by up to date, and returns how many there were to look at. */
export const learnKeys = async (
  { db, write, signal }: TaskContext,
  { libraryId, changedOnly }: LibraryToLearn,
): Promise<number> => {
  let afterKey = ''
  let checked = 0
  for (;;) {
    signal.throwIfAborted()
    const part = { libraryId, afterKey, limit: seriesAtOnce, changedOnly }
    const series = await selectSeriesToKey(db.readSlowly, part)
    const last = series.at(-1)
    if (!last) return checked
    const { ids, rows } = await otherKeys(db.readSlowly, libraryId, series)
    if (ids.length > 0) await write((db) => replaceKeys(db, ids, rows))
    checked += series.length
    afterKey = last.key
  }
}

/** It returns the series whose keys differ from the stored ones. */
const otherKeys = async (db: ReadDb, libraryId: string, series: readonly SeriesToKey[]) => {
  const ids = series.map(({ id }) => id)
  const external = Map.groupBy(await selectExternalIds(db, ids), ({ entity_id }) => entity_id)
  const keysBySeries = Map.groupBy(await selectKeysOf(db, ids), ({ series_id }) => series_id)
  const changed = series.flatMap((each) => {
    const rows = keysOf(each, libraryId, external.get(each.id) ?? [])
    return textOf(rows) === textOf(keysBySeries.get(each.id) ?? []) ? [] : [{ id: each.id, rows }]
  })
  return { ids: changed.map(({ id }) => id), rows: changed.flatMap(({ rows }) => rows) }
}

const textOf = (rows: readonly MatchKeyRow[]): string =>
  rows
    .map(({ match_type, key, is_title, seen_at }) => `${match_type} ${is_title} ${seen_at} ${key}`)
    .sort()
    .join('\n')

const keysOf = (
  { id, title, metadata, book_count, updated_at }: SeriesToKey,
  libraryId: string,
  external: readonly { readonly source: string; readonly external_id: string }[],
): MatchKeyRow[] => {
  if (book_count === 0) return []
  const { alternateTitles = [] } = JSON.parse(metadata) as { alternateTitles?: readonly { readonly title: string }[] }
  const own = titleKey(title)
  const titles = new Set([own, ...alternateTitles.map((each) => titleKey(each.title))])
  const ids = new Set([
    ...external.map((each) => externalIdKey(each.source, each.external_id)),
    ...externalIdsIn(metadata).map((each) => externalIdKey(each.source, each.id)),
  ])
  const all = { series_id: id, seen_at: updated_at }
  return [
    ...[...titles].map((key) => ({
      ...all,
      match_type: 'title' as const,
      scope: libraryId,
      key,
      is_title: key === own ? (1 as const) : (0 as const),
    })),
    ...[...ids].map((key) => ({ ...all, match_type: 'external_id' as const, scope: '', key, is_title: 0 as const })),
  ].filter(({ key }) => key !== '')
}
