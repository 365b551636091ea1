import { announceSame, type ListKind } from '../../../../catalogue/member-lists/member-lists.ts'
import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { BookFault } from '../../../../formats/book-format.ts'
import { readImageHeader } from '../../../../formats/images/header.ts'
import { collections } from '../../../collections/collections.ts'
import {
  bringCover,
  bringListCover,
  type BroughtCover,
  coverSizesOf,
  coverStore,
  readChosenCovers,
  takeCoverBack,
  takeListCoverBack,
} from '../../../covers/covers.ts'
import { readLists } from '../../../read-lists/read-lists.ts'
import { freshAmong, keyOf } from '../../links.ts'
import { deleteLinks, insertLinks, selectLinks } from '../../queries.ts'
import type { CoverRecord } from '../../records.ts'
import { stagedRows } from '../../staging.ts'
import { type Applying, countsOf, type Step } from '../step.ts'

const coverBytesMax = 10 * 1024 * 1024

type Entity = 'book' | 'series' | 'collection' | 'read_list'

interface CoverDone {
  readonly entity: Entity
  readonly id: string
  readonly coverId: string
}

interface CoversDone {
  readonly covers: readonly CoverDone[]
  readonly keys: readonly string[]
}

interface Prepared {
  readonly drawn: ReadonlyMap<string, BroughtCover>
  /** By what lists of theirs are known, by their type and id there. */
  readonly keysOfLists: ReadonlyMap<string, string>
}

export const covers: Step<'cover', Prepared> = {
  name: 'covers',
  part: 'covers',
  reads: 'cover',
  atOnce: 10,
  prepare: async (applying, records) => {
    const drawn = new Map<string, BroughtCover>()
    for (const record of records) {
      if (!mayBeOurs(record, applying)) continue
      const cover = await drawnFrom(applying, record.ref)
      if (cover) drawn.set(record.ref, cover)
    }
    return { drawn, keysOfLists: await keysOfListsIn(applying, records) }
  },
  take: async (db, applying, records, { drawn, keysOfLists }) => {
    const { run } = applying
    const keyed = keyedCovers(records)
    const links = await selectLinks(
      db,
      run.kind,
      keyed.map(({ key }) => key),
    )
    const covers: CoverDone[] = []
    const keys: string[] = []
    let left = 0
    for (const { record, key } of keyed) {
      const cover = drawn.get(record.ref)
      const ours = await oursOf(db, applying, record.of, keysOfLists)
      if (links.has(key) || !cover || !ours) continue
      keys.push(key)
      const coverId = await bringOne(db, applying, ours, cover)
      if (coverId === undefined) left += 1
      else covers.push({ ...ours, coverId })
    }
    await insertLinks(
      db,
      keys.map((key) => ({ kind: run.kind, key, ours: '', import_id: run.id, held: null })),
    )
    const unreadable = records.filter((record) => mayBeOurs(record, applying) && !drawn.has(record.ref)).length
    return {
      ...(keys.length > 0 && { done: { covers, keys } satisfies CoversDone }),
      counts: countsOf({ covers: covers.length, coversChosenHere: left, coversUnreadable: unreadable }),
    }
  },
  // Whether a picture can be read is seen when it is opened.
  foresee: async (db, foreseeing, records) => {
    const own = keyedCovers(records).filter(({ record }) => mayBeOurs(record, foreseeing))
    const fresh = await freshAmong(db, foreseeing.kind, own)
    const chosen = await chosenAmong(
      db,
      fresh.map(({ record }) => record),
      foreseeing,
    )
    return countsOf({ covers: fresh.length - chosen })
  },
  undo: async (db, { run, now }, { covers: brought, keys }: CoversDone) => {
    for (const { entity, id, coverId } of brought) {
      if (entity === 'book' || entity === 'series') await takeCoverBack(db, { kind: entity, id }, coverId, now)
      else await takeListCoverBack(db, listWithCover(entity, id), coverId, now)
    }
    await deleteLinks(db, run.kind, keys)
  },
}

const keyedCovers = (records: readonly CoverRecord[]) =>
  records.map((record) => ({ record, key: keyOf('cover', record.ref, JSON.stringify(record.of)) }))

/** So many of these are of books and series for which somebody has chosen a cover here. */
const chosenAmong = async (
  db: ReadDb,
  records: readonly CoverRecord[],
  { books, series }: Matched,
): Promise<number> => {
  const bookIds = records.flatMap(({ of }) => ('book' in of ? (books.get(of.book) ?? []) : []))
  const seriesIds = records.flatMap(({ of }) => ('series' in of ? (series.get(of.series) ?? []) : []))
  const chosen = [await readChosenCovers(db, 'book', bookIds), await readChosenCovers(db, 'series', seriesIds)]
  return [...bookIds, ...seriesIds].filter((id) => chosen.some((ids) => ids.has(id))).length
}

type Matched = Pick<Applying, 'books' | 'series'>

/** A list has become one of ours in this import or before; a book or a series is matched. */
const mayBeOurs = ({ of }: CoverRecord, { books, series }: Matched): boolean => {
  if ('book' in of) return books.has(of.book)
  return 'series' in of ? series.has(of.series) : true
}

const drawnFrom = async (
  { reader, resources: { decoders, settings, config }, task: { signal } }: Applying,
  ref: string,
): Promise<BroughtCover | undefined> => {
  const source = await reader()
  const bytes = await source.cover(ref)
  if (!bytes || bytes.byteLength > coverBytesMax || readImageHeader(Buffer.from(bytes)) === undefined) return undefined
  try {
    const made = await decoders.run('cover', { bytes: Buffer.from(bytes), sizes: coverSizesOf(settings) }, { signal })
    const { width, height, placeholder, tone } = made
    return { width, height, placeholder, tone, contentHash: await coverStore(config).put(made) }
  } catch (error) {
    if (error instanceof BookFault) return undefined
    throw error
  }
}

const nameOfList = (of: CoverRecord['of']): string | undefined => {
  if ('collection' in of) return `collection ${of.collection}`
  return 'readList' in of ? `readList ${of.readList}` : undefined
}

const keysOfListsIn = async (
  { run, task }: Applying,
  records: readonly CoverRecord[],
): Promise<ReadonlyMap<string, string>> => {
  const listNames = new Set(records.flatMap(({ of }) => nameOfList(of) ?? []))
  const keys = new Map<string, string>()
  if (listNames.size === 0) return keys
  for (const type of ['collection', 'readList'] as const)
    for await (const row of stagedRows(task.db.readSlowly, run.id, type))
      for (const { id, name } of row.records.filter((list) => listNames.has(`${type} ${list.id}`)))
        keys.set(`${type} ${id}`, keyOf(type, id, name))
  return keys
}

const oursOf = async (
  db: WriteDb,
  { run, books, series }: Applying,
  of: CoverRecord['of'],
  keysOfLists: ReadonlyMap<string, string>,
): Promise<{ readonly entity: Entity; readonly id: string } | undefined> => {
  if ('book' in of) return entityOf('book', books.get(of.book))
  if ('series' in of) return entityOf('series', series.get(of.series))
  const key = keysOfLists.get(nameOfList(of) ?? '')
  const link = key === undefined ? undefined : (await selectLinks(db, run.kind, [key])).get(key)
  return entityOf('collection' in of ? 'collection' : 'read_list', link?.ours)
}

const entityOf = (entity: Entity, id: string | undefined) => (id === undefined ? undefined : { entity, id })

const bringOne = (
  db: WriteDb,
  { run, now }: Applying,
  { entity, id }: { readonly entity: Entity; readonly id: string },
  cover: BroughtCover,
): Promise<string | undefined> => {
  const by = { by: run.by_user_id, now }
  return entity === 'book' || entity === 'series'
    ? bringCover(db, { kind: entity, id }, cover, by)
    : bringListCover(db, listWithCover(entity, id), cover, by)
}

const listWithCover = (kind: 'collection' | 'read_list', id: string) => ({
  kind,
  id,
  announceChange: async (db: WriteDb, now: Date): Promise<void> => {
    const own: ListKind = kind === 'collection' ? collections : readLists
    await announceSame(db, own, { id, condition: null }, now)
  },
})
