import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import {
  bringList,
  bringMembers,
  type ListKind,
  listViewerFor,
  takeListBack,
} from '../../../../catalogue/member-lists/member-lists.ts'
import { collections } from '../../../collections/collections.ts'
import { reservePositions, type ListPosition, readLists, releasePositions } from '../../../read-lists/read-lists.ts'
import { keyOf } from '../../links.ts'
import { deleteLinks, insertLinks, selectLinks, setHeld } from '../../queries.ts'
import type { CategoryRecord, ListRecord } from '../../records.ts'
import type { Staged } from '../../staging.ts'
import {
  type AbsentBook,
  type Applying,
  type Counts,
  countsOf,
  type Foreseeing,
  seeingAll,
  type Step,
  type Undoing,
} from '../step.ts'

type ListName = 'collection' | 'read_list'

const kinds: Readonly<Record<ListName, ListKind>> = { collection: collections, read_list: readLists }

interface TheirList {
  readonly list: ListName
  /** What the store calls it, and its id there: it is known by these when it comes again. */
  readonly key: string
  readonly name: string
  readonly summary: string | null
  readonly isOrdered: boolean
  /** Nobody but its owner sees it there; here everybody would. */
  readonly isPrivate: boolean
  /** Theirs; some may not be here. */
  readonly members: readonly string[]
  readonly ours: readonly string[]
  /** All its places in their order, where some are of books that are not here. */
  readonly entries: readonly ListPosition[]
}

interface ListDone {
  readonly list: ListName
  readonly id: string
  readonly key: string
  readonly itemIds: readonly string[]
  readonly isOwn: boolean
  /** What was known to be in it before; null: it was not known. */
  readonly heldBefore: string | null
  /** Absent in what earlier versions have done. */
  readonly placeIds?: readonly string[]
}

const summaryMax = 2000

/** A list that was brought before gets what has come to it since; one of the same name that people have made here stays theirs. */
const takeLists = async (db: WriteDb, applying: Applying, lists: readonly TheirList[]) => {
  const { run, now, chosen } = applying
  const links = await selectLinks(
    db,
    run.kind,
    lists.map(({ key }) => key),
  )
  const done: ListDone[] = []
  let missing = 0
  let waitingCount = 0
  const taking = lists.filter(({ isPrivate }) => !isPrivate || chosen.privateLists === true)
  for (const { list, key, name, summary, isOrdered, members, ours, entries } of taking) {
    const viewer = listViewerFor(kinds[list], seeingAll(run.by_user_id), true)
    const link = links.get(key)
    const held = JSON.stringify(ours)
    missing += members.length - ours.length
    if (!link) {
      const brought = { name, summary: summary?.slice(0, summaryMax) ?? null, isOrdered, itemIds: ours }
      const { id } = await bringList(db, viewer, brought, { suffix: run.kind, now })
      await insertLinks(db, [{ kind: run.kind, key, ours: id, import_id: run.id, held }])
      const placeIds = entries.length === 0 ? [] : await reservePositions(db, id, entries, now)
      waitingCount += placeIds.length
      done.push({ list, id, key, itemIds: ours, isOwn: true, heldBefore: null, placeIds })
      continue
    }
    const before = new Set(JSON.parse(link.held ?? '[]') as string[])
    const come = ours.filter((id) => !before.has(id))
    if (come.length === 0) continue
    const added = await bringMembers(db, viewer, link.ours, { itemIds: come, now })
    if (added === undefined) continue
    await setHeld(db, run.kind, key, JSON.stringify([...new Set([...before, ...ours])]))
    done.push({ list, id: link.ours, key, itemIds: added, isOwn: false, heldBefore: link.held })
  }
  const made = done.filter(({ isOwn }) => isOwn)
  return {
    ...(done.length > 0 && { done }),
    counts: countsOf({
      collections: made.filter(({ list }) => list === 'collection').length,
      readLists: made.filter(({ list }) => list === 'read_list').length,
      listsAddedTo: done.length - made.length,
      privateListsLeft: lists.length - taking.length,
      placesKept: waitingCount,
      membersNotHere: missing - waitingCount,
    }),
  }
}

/** Lists that are yet to be made, and those of an earlier import to which something comes; what people have removed of these comes again to none. */
const foreseeLists = async (db: ReadDb, { kind }: Foreseeing, lists: readonly TheirList[]): Promise<Counts> => {
  const links = await selectLinks(
    db,
    kind,
    lists.map(({ key }) => key),
  )
  const allFresh = lists.filter(({ key }) => !links.has(key))
  const fresh = allFresh.filter(({ isPrivate }) => !isPrivate)
  const addedTo = lists.filter(({ key, ours, isPrivate }) => {
    const link = links.get(key)
    if (!link || isPrivate) return false
    const before = new Set(JSON.parse(link.held ?? '[]') as string[])
    return ours.some((id) => !before.has(id))
  })
  return countsOf({
    collections: fresh.filter(({ list }) => list === 'collection').length,
    readLists: fresh.filter(({ list }) => list === 'read_list').length,
    listsAddedTo: addedTo.length,
    privateLists: allFresh.length - fresh.length,
  })
}

const undo = async (db: WriteDb, { run, now }: Undoing, done: readonly ListDone[]): Promise<void> => {
  for (const { list, id, key, itemIds, isOwn, heldBefore, placeIds = [] } of done.toReversed()) {
    await releasePositions(db, placeIds)
    const viewer = listViewerFor(kinds[list], seeingAll(run.by_user_id), true)
    await takeListBack(db, viewer, { id, itemIds, isOwn }, now)
    if (isOwn) await deleteLinks(db, run.kind, [key])
    else await setHeld(db, run.kind, key, heldBefore)
  }
}

const oursOf = (theirs: readonly string[], matched: ReadonlyMap<string, string>): string[] => [
  ...new Set(theirs.flatMap((id) => matched.get(id) ?? [])),
]

type Matched = Pick<Applying, 'series' | 'books'>
type AbsentBooks = ReadonlyMap<string, AbsentBook>
const none: AbsentBooks = new Map()

const listStep = <Type extends 'collection' | 'readList' | 'category'>(
  name: string,
  reads: Type,
  listsOf: (record: Staged<Type>, matched: Matched, absent: AbsentBooks) => readonly TheirList[],
): Step<Type, AbsentBooks> => ({
  name,
  part: 'lists',
  reads,
  atOnce: 5,
  prepare: ({ absentBooks }) => (reads === 'collection' ? Promise.resolve(none) : absentBooks()),
  take: (db, applying, records, absent) =>
    takeLists(
      db,
      applying,
      records.flatMap((record) => listsOf(record, applying, absent)),
    ),
  foresee: (db, foreseeing, records) =>
    foreseeLists(
      db,
      foreseeing,
      records.flatMap((record) => listsOf(record, foreseeing, none)),
    ),
  undo,
})

interface Members extends Pick<TheirList, 'name' | 'summary' | 'isOrdered' | 'isPrivate' | 'key' | 'members'> {
  readonly absent: AbsentBooks
}

const collectionOf = (list: Omit<Members, 'absent'>, { series }: Matched): TheirList => ({
  ...list,
  list: 'collection',
  ours: oursOf(list.members, series),
  entries: [],
})

const readListOf = ({ absent, ...list }: Members, { books }: Matched): TheirList => ({
  ...list,
  list: 'read_list',
  ours: oursOf(list.members, books),
  entries: entriesOf(list.members, books, absent),
})

/** Each book once, at the first of its places. */
const entriesOf = (
  members: readonly string[],
  books: ReadonlyMap<string, string>,
  absent: AbsentBooks,
): readonly ListPosition[] => {
  if (members.every((id) => !absent.has(id))) return []
  const entries = new Map<string, ListPosition>()
  for (const id of members) {
    const bookId = books.get(id)
    const entry = bookId === undefined ? absent.get(id) : { bookId }
    const key = bookId ?? `absent ${id}`
    if (entry && !entries.has(key)) entries.set(key, entry)
  }
  return [...entries.values()]
}

const fieldsOf = ({ name, summary, isOrdered, isShared }: ListRecord) => ({
  name,
  summary,
  isOrdered,
  isPrivate: !isShared,
})

export const collectionLists = listStep('collections', 'collection', (record, applying) => {
  const key = keyOf('collection', record.id, record.name)
  return [collectionOf({ ...fieldsOf(record), key, members: record.series }, applying)]
})

export const readListLists = listStep('read lists', 'readList', (record, applying, absent) => {
  const key = keyOf('readList', record.id, record.name)
  return [readListOf({ ...fieldsOf(record), key, members: record.books, absent }, applying)]
})

const listsInCategory = (record: CategoryRecord, applying: Matched, absent: AbsentBooks): readonly TheirList[] => {
  const { id, name, members, holds } = record
  const series = members.flatMap((member) => ('series' in member ? member.series : []))
  const books = members.flatMap((member) => ('book' in member ? member.book : []))
  const fields = fieldsOf(record)
  const collection = collectionOf({ ...fields, key: keyOf('category of series', id, name), members: series }, applying)
  const readList = readListOf(
    { ...fields, absent, key: keyOf('category of books', id, name), members: books },
    applying,
  )
  if (members.length === 0) return [holds === 'series' ? collection : readList]
  return [...(series.length > 0 ? [collection] : []), ...(books.length > 0 ? [readList] : [])]
}

/** A pile of series becomes a collection, a pile of books a read list; one of both becomes two. */
export const categories = listStep('categories', 'category', listsInCategory)
