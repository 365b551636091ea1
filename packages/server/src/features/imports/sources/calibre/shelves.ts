import { type ForeignRecord, recordLimits } from '../../records.ts'
import { objectOf } from '../json-lists.ts'
import type { StoreDatabase } from '../sqlite.ts'
import { idText, textOf, truthOf, wholeOf } from '../values.ts'
import type { OpenStore } from './open-store.ts'
import { countRows, selectBooksOfShelf, selectPreference, selectShelves } from './queries.ts'

export function* shelvesIn(store: OpenStore, web: StoreDatabase): Generator<ForeignRecord> {
  for (const row of selectShelves(web)) {
    const id = idText(row['id'])
    const name = textOf(row['name'])
    if (row['owner'] === null || name === null) {
      store.passed.add('shelves of nobody, or without a name', 'invalid', name)
      continue
    }
    const books = booksOfShelf(store, web, Number(row['id']))
    yield {
      type: 'category',
      id,
      name,
      summary: null,
      isOrdered: true,
      owner: idText(row['owner']),
      isShared: truthOf(row['isShared']),
      holds: 'books',
      members: books.map((book) => ({ book })),
    }
  }
}

const booksOfShelf = (
  { books: knownBooks, passed }: OpenStore,
  web: StoreDatabase,
  shelf: number,
): readonly string[] => {
  const books = new Set<string>()
  for (const row of selectBooksOfShelf(web, shelf, recordLimits.members + 1)) {
    const book = wholeOf(row['book'], 0, Number.MAX_SAFE_INTEGER)
    if (book !== null && knownBooks.has(book)) books.add(String(book))
    else passed.add('books on shelves that are not in the library', 'invalid', textOf(row['book']))
  }
  if (books.size <= recordLimits.members) return [...books]
  passed.add(`shelves with more than ${recordLimits.members} books, of which the first are taken`, 'too_much')
  return [...books].slice(0, recordLimits.members)
}

export function* passedOverOf({ db, web }: OpenStore): Generator<ForeignRecord> {
  for (const [key, what] of [
    ['saved_searches', 'saved searches'],
    ['virtual_libraries', 'virtual libraries'],
  ] as const) {
    const names = Object.keys(objectOf(selectPreference(db, key)?.['value']) ?? {})
    if (names.length > 0)
      yield {
        type: 'passedOver',
        what,
        reason: 'unreadable',
        count: names.length,
        examples: names.slice(0, 5).map((name) => name.slice(0, 200)),
      }
  }
  if (web === undefined) {
    yield {
      type: 'passedOver',
      what: "calibre-web's users, states and shelves: no app.db lies beside metadata.db",
      reason: 'not_in_store',
      count: null,
    }
    return
  }
  const counted = [
    ['passwords', 'secret', countRows(web, 'user', "coalesce(password, '') <> ''")],
    ['access tokens of Kobo readers', 'secret', countRows(web, 'remote_auth_token')],
    ['archived books', 'no_such_thing', countRows(web, 'archived_book', 'is_archived = 1')],
    ['downloads', 'no_such_thing', countRows(web, 'downloads')],
  ] as const
  for (const [what, reason, count] of counted) if (count > 0) yield { type: 'passedOver', what, reason, count }
}
