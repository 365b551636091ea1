import type { WriteDb } from '../../database/database.ts'
import {
  groupBooks,
  insertOverrides,
  newOverride,
  refresh,
  renameSeries,
  selectSeriesAtKeys,
  selectSeriesToFollow,
  type SeriesToFollow,
} from '../../catalogue/shown/shown.ts'
import type { GroupedSeries } from '../../naming/grouping/grouping-policy.ts'
import { mergeInto } from './merge-series.ts'
import { selectGroupedIn } from './queries.ts'

/** Series whose books all lie in one folder that they do not go by, with whose folder it is. */
interface Guest {
  readonly series: SeriesToFollow
  readonly target: GroupedSeries
  /** Undefined: no other series lies there. */
  readonly hostId: string | undefined
}

/**
 * While books were kept elsewhere, their folder may have got another name. A series to which they go back goes by that one
 * (C23): what is new in it is of this series, and no scan makes another one of it. `coming` are the books of each series
 * that are about to come. Whoever places them refreshes the series.
 */
export const followFolders = async (
  db: WriteDb,
  libraryId: string,
  coming: ReadonlyMap<string, readonly string[]>,
): Promise<void> => {
  const free = (await findGuests(db, libraryId, coming)).filter(({ hostId }) => hostId === undefined)
  if (free.length === 0) return
  await renameSeries(
    db,
    libraryId,
    free.map(({ series: { id, key }, target }) => ({ id, oldKey: key, target })),
  )
}

/** Two series lie in one folder by now: the larger stays, or of as many books the older, and the other is merged into it (C23). */
export const joinInFolders = async (
  db: WriteDb,
  libraryId: string,
  seriesIds: readonly string[],
  now: Date,
): Promise<void> => {
  const guests = await findGuests(db, libraryId, new Map(seriesIds.map((id) => [id, []])))
  for (const { series, target, hostId } of guests) {
    if (hostId === undefined) continue
    const [here, host] = await selectBoth(db, series.id, hostId)
    if (!here || !host) continue
    const isHostLarger = host.book_count > here.book_count || (host.book_count === here.book_count && host.id < here.id)
    const [fromId, into] = isHostLarger ? [here.id, host.id] : [host.id, here.id]
    await mergeInto(db, null, { fromIds: [fromId], into, now })
    if (isHostLarger) continue
    // It is known by both keys since they are one.
    const { id, key } = here
    await renameSeries(db, libraryId, [{ id, oldKey: key, target: { ...target, key } }])
    await refresh(db, { series: [id], isEdit: true }, now)
  }
}

interface TakenApart {
  readonly libraryId: string
  /** They have been one. */
  readonly seriesIds: readonly string[]
  readonly by: string
  readonly now: Date
}

/** Who takes a merge back while all of it lies in one folder has put each book where it is: no scan makes one series of it again. */
export const keepApart = async (db: WriteDb, { libraryId, seriesIds, by, now }: TakenApart): Promise<void> => {
  const guests = await findGuests(db, libraryId, new Map(seriesIds.map((id) => [id, []])))
  const apart = guests.filter(({ hostId }) => seriesIds.includes(hostId ?? '')).map(({ series: { id } }) => id)
  const shared = { library_id: libraryId, folder: null, at: now.toISOString(), by_user_id: by }
  const books = await selectGroupedIn(db, apart)
  await insertOverrides(
    db,
    books.map(({ id, series_id }) => newOverride({ ...shared, book_id: id, series_id }, now)),
  )
}

const selectBoth = async (db: WriteDb, one: string, other: string) => {
  const rows = new Map((await selectSeriesToFollow(db, [one, other])).map((row) => [row.id, row]))
  return [rows.get(one), rows.get(other)] as const
}

const findGuests = async (
  db: WriteDb,
  libraryId: string,
  coming: ReadonlyMap<string, readonly string[]>,
): Promise<readonly Guest[]> => {
  const seriesIds = [...coming.keys()]
  const booksOf = Map.groupBy(await selectGroupedIn(db, seriesIds), ({ series_id }) => series_id)
  const idsOf = (seriesId: string): string[] => [
    ...(booksOf.get(seriesId) ?? []).map(({ id }) => id),
    ...(coming.get(seriesId) ?? []),
  ]
  const grouped = await groupBooks(db, [...new Set(seriesIds.flatMap(idsOf))])
  const strays = (await selectSeriesToFollow(db, seriesIds)).flatMap((series) => {
    const targets = new Map(
      idsOf(series.id).flatMap((id) => {
        const target = grouped.get(id)?.series
        return target ? [[target.key, target] as const] : []
      }),
    )
    const [target] = targets.values()
    const isByHand = series.key.startsWith('//')
    return target && targets.size === 1 && target.key !== series.key && !isByHand && series.library_id === libraryId
      ? [{ series, target }]
      : []
  })
  const keys = strays.map(({ target: { key } }) => key)
  const holders = await selectSeriesAtKeys(db, libraryId, keys)
  const isOnlyOne = (key: string): boolean => keys.indexOf(key) === keys.lastIndexOf(key)
  return strays.flatMap(({ series, target }): Guest[] => {
    const holder = holders.get(target.key)
    // Where two come to one free folder at once, the next scan finds out whose it is.
    if (holder === undefined && !isOnlyOne(target.key)) return []
    return [{ series, target, hostId: holder === series.id ? undefined : holder }]
  })
}
