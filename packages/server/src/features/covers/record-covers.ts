import type { WriteDb } from '../../database/database.ts'
import type { BookCovers, MadeCover } from '../../decoders/cover.ts'
import type { Fault } from '../../formats/book-format.ts'
import { newId } from '../../platform/ids.ts'
import { setBookCovers, renewCoversOfFirstBooks, setSeriesCovers } from '../../catalogue/shown/shown.ts'
import { announceCovers } from '../../catalogue/visibility/visibility.ts'
import {
  type CoverRow,
  deleteCoverRows,
  deleteFaults,
  deleteQueued,
  type Entity,
  insertFaults,
  postponeQueued,
  selectAutomatic,
  selectCoverChoices,
  selectFromPlugins,
  type SubjectRow,
  upsertCovers,
} from './queries.ts'

/** A cover whose pictures are in the store. */
type StoredCover = Pick<MadeCover, 'width' | 'height' | 'placeholder' | 'tone'> & { readonly contentHash: string }

export interface MadeForBook {
  readonly row: SubjectRow
  readonly book: StoredCover & Pick<BookCovers['book'], 'source' | 'page'>
  /** Undefined: nobody looked. */
  readonly series: StoredCover | null | undefined
}

export const coverLock = 'cover'
export const locksIn = (locks: string): string[] => JSON.parse(locks) as string[]

/**
 * A cover that somebody has chosen, or a plugin has supplied, stays the shown one, also when that was while this one was
 * being made. It returns the names of pictures that may not be needed any more.
 */
export const recordCovers = async (db: WriteDb, made: readonly MadeForBook[], now: Date): Promise<string[]> => {
  if (made.length === 0) return []
  const ids = made.map(({ row }) => row.id)
  const chosen = await selectChosen(db, made)
  const replacedOfBooks = await replaceAutomatic(
    db,
    'book',
    made.map(({ row, book }) => ({ entityId: row.id, selectedId: chosen.get(row.id)?.cover_id ?? null, cover: book })),
    now,
  )
  const { idOf, replaced } = replacedOfBooks
  const fromPlugins = await selectFromPlugins(
    db,
    [...chosen.values()].map(({ cover_id }) => cover_id).filter((id) => id !== null),
  )
  const isFree = (id: string): boolean => {
    const { locks = '[]', cover_id = null } = chosen.get(id) ?? {}
    return !locksIn(locks).includes(coverLock) && !(cover_id !== null && fromPlugins.has(cover_id))
  }
  // What was locked before there was any cover is to be this one.
  const free = made.filter(({ row }) => isFree(row.id) || chosen.get(row.id)?.cover_id === null)
  await setBookCovers(
    db,
    free.map(({ row, book: { placeholder, tone } }) => ({
      id: row.id,
      coverId: idOf.get(row.id) ?? null,
      placeholder,
      tone,
    })),
  )
  await renewCoversOfFirstBooks(
    db,
    free.map(({ row }) => row.id),
  )
  // The first cover of a book is no news: whoever saw it without asked for one.
  const again = free.filter(({ row }) => row.cover_version > 0).map(({ row }) => row.id)
  await announceCovers(db, 'book', again, now)
  const ofSeries = await recordSeriesCovers(db, made, { chosen, isFree, now })
  await deleteQueued(db, ids)
  await deleteFaults(db, ids)
  return [...replaced, ...ofSeries]
}

type Chosen = Awaited<ReturnType<typeof selectCoverChoices>>[number]

/** It reads what is chosen now, for the books and their series. */
const selectChosen = async (db: WriteDb, made: readonly MadeForBook[]): Promise<ReadonlyMap<string, Chosen>> => {
  const idsOf = (of: 'id' | 'series_id') => [...new Set(made.map(({ row }) => row[of]))]
  const books = await selectCoverChoices(db, 'book', idsOf('id'))
  const series = await selectCoverChoices(db, 'series', idsOf('series_id'))
  return new Map([...books, ...series].map((choice) => [choice.id, choice]))
}

interface Automatic {
  readonly entityId: string
  readonly selectedId: string | null
  readonly cover: StoredCover & { readonly source: string; readonly page: number | null }
}

const replaceAutomatic = async (db: WriteDb, entity: Entity, covers: readonly Automatic[], now: Date) => {
  const automatic = await selectAutomatic(
    db,
    covers.map(({ entityId }) => entityId),
  )
  const rows = covers.map(({ entityId, cover }) => {
    const same = automatic.find((each) => each.entity_id === entityId && each.source === cover.source)
    return { ...toRow(entity, entityId, cover, now), id: same?.id ?? newId(now.getTime()) }
  })
  await upsertCovers(db, rows)
  const selected = new Set(covers.map(({ selectedId }) => selectedId))
  const storedIds = new Set(rows.map(({ id }) => id))
  const gone = automatic.filter(({ id, entity_id }) => {
    const isLocked = selected.has(id) && !storedIds.has(id) && covers.some(({ entityId }) => entityId === entity_id)
    return !storedIds.has(id) && !isLocked
  })
  await deleteCoverRows(
    db,
    gone.map(({ id }) => id),
  )
  return {
    idOf: new Map(rows.map(({ entity_id, id }) => [entity_id, id])),
    replaced: automatic.map(({ content_hash }) => content_hash),
  }
}

export const toRow = (
  entity: CoverRow['entity'],
  entityId: string,
  { source, page, width, height, placeholder, tone, contentHash }: Automatic['cover'],
  now: Date,
): Omit<CoverRow, 'id'> => ({
  entity,
  entity_id: entityId,
  source,
  page,
  width,
  height,
  placeholder,
  tone,
  content_hash: contentHash,
  created_at: now.toISOString(),
  by_user_id: null,
})

interface Recording {
  readonly chosen: ReadonlyMap<string, Chosen>
  readonly isFree: (id: string) => boolean
  readonly now: Date
}

/** The picture in the folder of a series stands for it, unless somebody has chosen or a plugin has given one. */
const recordSeriesCovers = async (
  db: WriteDb,
  made: readonly MadeForBook[],
  { chosen, isFree: isFreeOf, now }: Recording,
): Promise<string[]> => {
  const replaced: string[] = []
  for (const { row, series } of made) {
    const selectedId = chosen.get(row.series_id)?.cover_id ?? null
    if (series === undefined || (series === null && selectedId === null)) continue
    const isFree = isFreeOf(row.series_id)
    if (series) {
      const cover = { ...series, source: 'sidecar', page: null }
      const { idOf, replaced: old } = await replaceAutomatic(
        db,
        'series',
        [{ entityId: row.series_id, selectedId, cover }],
        now,
      )
      replaced.push(...old)
      if (isFree) await setSeriesCovers(db, [{ id: row.series_id, coverId: idOf.get(row.series_id) ?? null }])
    } else if (isFree) {
      const automatic = await selectAutomatic(db, [row.series_id])
      replaced.push(...automatic.map(({ content_hash }) => content_hash))
      await deleteCoverRows(
        db,
        automatic.map(({ id }) => id),
      )
      await setSeriesCovers(db, [{ id: row.series_id, coverId: null }])
    }
    if (isFree) await announceCovers(db, 'series', [row.series_id], now)
  }
  return replaced
}

const triesMax = 3
/** These errors may not occur the next time. */
const passing = new Set(['unreadable', 'timeout', 'crashed'])

export interface FailedCover {
  readonly bookId: string
  readonly tries: number
  readonly fault: Fault
}

/** It is tried three times at most; then the reason stands with the book until it is read again. */
export const recordFailures = async (db: WriteDb, failed: readonly FailedCover[], now: Date): Promise<void> => {
  const at = now.toISOString()
  const isOver = ({ tries, fault }: FailedCover) => tries + 1 >= triesMax || !passing.has(fault.code)
  const over = failed.filter(isOver)
  await insertFaults(db, over, at)
  await deleteQueued(
    db,
    over.map(({ bookId }) => bookId),
  )
  await postponeQueued(
    db,
    failed.filter((each) => !isOver(each)).map(({ bookId, tries }) => ({ bookId, tries: tries + 1 })),
    at,
  )
}
