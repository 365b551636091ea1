import type { WriteDb } from '../../../../database/database.ts'
import {
  bringList,
  bringMembers,
  type ListKind,
  listViewerFor,
  takeListBack,
} from '../../../../catalogue/member-lists/member-lists.ts'
import { collections } from '../../../collections/collections.ts'
import { readLists } from '../../../read-lists/read-lists.ts'
import { keyOf } from '../../links.ts'
import { deleteLinks, insertLinks, selectLinks, setHeld } from '../../queries.ts'
import type { CategoryRecord } from '../../records.ts'
import type { Staged } from '../../staging.ts'
import { type Applying, countsOf, seeingAll, type Step, type Undoing } from '../step.ts'

type ListName = 'collection' | 'read_list'

const kinds: Readonly<Record<ListName, ListKind>> = { collection: collections, read_list: readLists }

interface TheirList {
  readonly list: ListName
  /** What the store calls it, and its id there: it is known by these when it comes again. */
  readonly key: string
  readonly name: string
  readonly summary: string | null
  readonly isOrdered: boolean
  /** Theirs; some may not be here. */
  readonly members: readonly string[]
  readonly ours: readonly string[]
}

interface ListDone {
  readonly list: ListName
  readonly id: string
  readonly key: string
  readonly itemIds: readonly string[]
  readonly isOwn: boolean
  /** What was known to be in it before; null: it was not known. */
  readonly heldBefore: string | null
}

const summaryMax = 2000

/** A list that was brought before gets what has come to it since; one of the same name that people have made here stays theirs. */
const takeLists = async (db: WriteDb, applying: Applying, lists: readonly TheirList[]) => {
  const { run, now } = applying
  const links = await selectLinks(
    db,
    run.kind,
    lists.map(({ key }) => key),
  )
  const done: ListDone[] = []
  let missing = 0
  for (const { list, key, name, summary, isOrdered, members, ours } of lists) {
    const viewer = listViewerFor(kinds[list], seeingAll(run.by_user_id), true)
    const link = links.get(key)
    const held = JSON.stringify(ours)
    missing += members.length - ours.length
    if (!link) {
      const brought = { name, summary: summary?.slice(0, summaryMax) ?? null, isOrdered, itemIds: ours }
      const { id } = await bringList(db, viewer, brought, { suffix: run.kind, now })
      await insertLinks(db, [{ kind: run.kind, key, ours: id, import_id: run.id, held }])
      done.push({ list, id, key, itemIds: ours, isOwn: true, heldBefore: null })
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
      membersNotHere: missing,
    }),
  }
}

const undo = async (db: WriteDb, { run, now }: Undoing, done: readonly ListDone[]): Promise<void> => {
  for (const { list, id, key, itemIds, isOwn, heldBefore } of done.toReversed()) {
    const viewer = listViewerFor(kinds[list], seeingAll(run.by_user_id), true)
    await takeListBack(db, viewer, { id, itemIds, isOwn }, now)
    if (isOwn) await deleteLinks(db, run.kind, [key])
    else await setHeld(db, run.kind, key, heldBefore)
  }
}

const oursOf = (theirs: readonly string[], matched: ReadonlyMap<string, string>): string[] => [
  ...new Set(theirs.flatMap((id) => matched.get(id) ?? [])),
]

const listStep = <Type extends 'collection' | 'readList' | 'category'>(
  name: string,
  reads: Type,
  listsOf: (record: Staged<Type>, applying: Applying) => readonly TheirList[],
): Step<Type> => ({
  name,
  part: 'lists',
  reads,
  atOnce: 5,
  take: (db, applying, records) =>
    takeLists(
      db,
      applying,
      records.flatMap((record) => listsOf(record, applying)),
    ),
  undo,
})

type SharedFields = Pick<TheirList, 'name' | 'summary' | 'isOrdered'>

const collectionOf = (
  { name, summary, isOrdered }: SharedFields,
  key: string,
  members: readonly string[],
  { series }: Applying,
): TheirList => ({ list: 'collection', key, name, summary, isOrdered, members, ours: oursOf(members, series) })

const readListOf = (
  { name, summary, isOrdered }: SharedFields,
  key: string,
  members: readonly string[],
  { books }: Applying,
): TheirList => ({ list: 'read_list', key, name, summary, isOrdered, members, ours: oursOf(members, books) })

export const collectionLists = listStep('collections', 'collection', (record, applying) => [
  collectionOf(record, keyOf('collection', record.id, record.name), record.series, applying),
])

export const readListLists = listStep('read lists', 'readList', (record, applying) => [
  readListOf(record, keyOf('readList', record.id, record.name), record.books, applying),
])

const listsInCategory = (record: CategoryRecord, applying: Applying): readonly TheirList[] => {
  const { id, name, members } = record
  const series = members.flatMap((member) => ('series' in member ? member.series : []))
  const books = members.flatMap((member) => ('book' in member ? member.book : []))
  const collection = collectionOf(record, keyOf('category of series', id, name), series, applying)
  const readList = readListOf(record, keyOf('category of books', id, name), books, applying)
  return [...(series.length > 0 || books.length === 0 ? [collection] : []), ...(books.length > 0 ? [readList] : [])]
}

/** A pile of series becomes a collection, a pile of books a read list; one of both becomes two. */
export const categories = listStep('categories', 'category', listsInCategory)
