import { type CollectionRecord, type CoverRecord, type ForeignRecord, recordLimits } from '../../records.ts'
import { type FileBeside, fileBeside } from '../beside.ts'
import type { StoreRow } from '../sqlite.ts'
import { idText, textOf, truthOf } from '../values.ts'
import { booksOf, type OpenStore } from './open-store.ts'
import {
  selectChaptersOfReadingList,
  selectChosenCovers,
  selectCollections,
  selectOldCollections,
  selectReadingLists,
  selectSeriesOfCollection,
  selectSeriesOfOldCollection,
  selectSeriesOfUsers,
} from './queries.ts'

const one = recordLimits.members + 1

export function* collectionsIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectCollections(store.db)) {
    if (row['owner'] === null) store.passed.add('collections of nobody', 'invalid', textOf(row['name']))
    else {
      if (row['source'] !== 0)
        store.passed.add('ties of collections to lists elsewhere', 'no_such_thing', textOf(row['name']))
      const members = selectSeriesOfCollection(store.db, Number(row['id']), one)
      yield* collectionOf(store, row, { id: idText(row['id']), owner: idText(row['owner']), members })
    }
  }
  for (const row of selectOldCollections(store.db)) {
    const members = selectSeriesOfOldCollection(store.db, Number(row['id']), one)
    yield* collectionOf(store, row, { id: `tag ${idText(row['id'])}`, owner: null, members })
  }
}

function* collectionOf(
  store: OpenStore,
  row: StoreRow,
  { id, owner, members }: { id: string; owner: string | null; members: Iterable<StoreRow> },
): Generator<CollectionRecord> {
  yield {
    type: 'collection',
    id,
    name: textOf(row['name']) ?? id,
    summary: textOf(row['summary'], recordLimits.prose),
    isOrdered: false,
    owner,
    // The old ones belonged to the server, and showed themselves to all only when they were promoted.
    isShared: truthOf(row['isShared']),
    series: membersOf(store, members, (member) => [idText(member)]),
  }
}

export function* readListsIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectReadingLists(store.db)) {
    const id = idText(row['id'])
    if (row['owner'] === null) {
      store.passed.add('reading lists of nobody', 'invalid', textOf(row['name']))
      continue
    }
    const members = selectChaptersOfReadingList(store.db, Number(row['id']), one)
    yield {
      type: 'readList',
      id,
      name: textOf(row['name']) ?? id,
      summary: textOf(row['summary'], recordLimits.prose),
      isOrdered: true,
      owner: idText(row['owner']),
      isShared: truthOf(row['isShared']),
      books: membersOf(store, members, (chapter) => booksOf(store, chapter)),
    }
  }
}

/** Each once, in their order. */
const membersOf = (
  { passed }: OpenStore,
  rows: Iterable<StoreRow>,
  idsOf: (member: unknown) => readonly string[],
): readonly string[] => {
  const members = new Set<string>()
  for (const { member } of rows) for (const id of idsOf(member)) members.add(id)
  if (members.size <= recordLimits.members) return [...members]
  passed.add(`lists with more than ${recordLimits.members} members, of which the first are taken`, 'too_much')
  return [...members].slice(0, recordLimits.members)
}

export function* wantsIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const { user, series } of selectSeriesOfUsers(db, 'AppUserWantToRead')) {
    if (user === null || series === null) passed.add('wishes to read of nobody or for nothing', 'invalid')
    // Kavita keeps neither an order nor a time of them.
    else yield { type: 'want', user: idText(user), of: { series: idText(series) }, position: null, at: null }
  }
}

export function* onDeckRemovalsIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const { user, series } of selectSeriesOfUsers(db, 'AppUserOnDeckRemoval')) {
    if (user === null || series === null)
      passed.add('removals from what comes next, of nobody or of nothing', 'invalid')
    else yield { type: 'onDeckRemoval', user: idText(user), series: idText(series) }
  }
}

/** Kavita names the file and nothing else: it lies in the folder of covers, beside the database. */
export const coverFile = (folder: string | null, name: string): FileBeside | undefined =>
  /^[\w-][\w.-]{0,200}$/.test(name) ? fileBeside(folder, [`covers/${name}`, `config/covers/${name}`]) : undefined

export function* coversIn(store: OpenStore, folder: string | null): Generator<ForeignRecord> {
  for (const row of selectChosenCovers(store.db)) {
    const name = textOf(row['picture'])
    if (name === null) continue
    const cover = coverFile(folder, name)
    if (cover === undefined)
      store.passed.add('chosen covers whose pictures are not with the store', 'not_in_store', name)
    else if (cover.size > recordLimits.coverBytes)
      store.passed.add('chosen covers of more than 20 MiB', 'too_much', name)
    else for (const of of subjectsOf(store, row)) yield { type: 'cover', of, ref: name, bytes: cover.size }
  }
}

const subjectsOf = (store: OpenStore, { what, id }: StoreRow): readonly CoverRecord['of'][] => {
  if (what === 'book')
    return booksOf(store, id)
      .slice(0, 1)
      .map((book) => ({ book }))
  if (what === 'collection') return [{ collection: idText(id) }]
  return [what === 'readList' ? { readList: idText(id) } : { series: idText(id) }]
}
