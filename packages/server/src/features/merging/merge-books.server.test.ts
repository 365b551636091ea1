import { rename, rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, type AddedLibrary, addSeries, type SeriesOptions } from '../../../test/content.ts'
import { comic, libraryFolder, type LibraryFolder } from '../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import type { Database } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import { newId } from '../../platform/ids.ts'

const at = '2026-11-01T10:00:00.000Z'

/** A group of books, as a search has found it. */
const groupBooks = async (db: Database, bookIds: readonly string[]): Promise<string> => {
  const id = newId()
  const group = { id, match_type: 'content' as const, scope: '', key: id, created_at: at }
  await db.write(async (db) => {
    await insertMany(db, 'duplicate_group', [group])
    await insertMany(
      db,
      'duplicate_book',
      bookIds.map((book_id) => ({ group_id: id, book_id, dismissed: 0 as const, joined_at: at })),
    )
  })
  return id
}

const merge = (person: Person, id: string, body: { into: string; books?: string[] }) =>
  person.call(api.mergeBooks, { params: { id }, body })
const undo = (person: Person, id: string) => person.call(api.undoBookMerge, { params: { id } })

const locator = { href: 'one.xhtml', type: 'application/xhtml+xml', locations: { totalProgression: 0.5 } }
/** It turns the rows into those that merges kept of marks, ratings and covers before there were rules. */
const keepAsEarlier = ({ context: { db } }: TestServer, mergeId: string) =>
  db.write(async (db) => {
    const rows = await db.selectFrom('merge_row').selectAll().where('merge_id', '=', mergeId).execute()
    const moved = rows.flatMap(({ kind, content }) => (kind === 'cover' ? [JSON.parse(content) as object] : []))
    const earlierOf: Readonly<Record<string, (row: { book_id?: string }) => { kind: string; content: object }>> = {
      rating: ({ book_id, ...rest }) => ({ kind: 'rating', content: { ...rest, entity_id: book_id } }),
      bookmark: (row) => ({ kind: 'mark', content: { ...row, kind: 'bookmark' } }),
      covers: (row) => ({ kind: 'covers', content: { ...row, moved } }),
    }
    for (const { kind, number, content } of rows) {
      const earlier = earlierOf[kind]?.(JSON.parse(content) as { book_id?: string })
      if (!earlier) continue
      await db
        .updateTable('merge_row')
        .set({ ...earlier, content: JSON.stringify(earlier.content) })
        .where('merge_id', '=', mergeId)
        .where('number', '=', number)
        .execute()
    }
    await db.deleteFrom('merge_row').where('merge_id', '=', mergeId).where('kind', '=', 'cover').execute()
  })

const bookmark = (person: Person, id: string) =>
  person.call(api.createBookmark, { params: { id }, body: { locator, note: `In ${id}` } })
const highlight = (person: Person, id: string) =>
  person.call(api.createAnnotation, { params: { id }, body: { locator, quote: 'Call me', colour: 'yellow' } })

/** All that people have on books, and how the books stand, but for when something was last touched. */
const everything = async ({ context: { db } }: TestServer) => {
  const { read } = db
  return {
    books: await read
      .selectFrom('book')
      .select(['id', 'series_id', 'state', 'title', 'metadata', 'own_age_rating', 'age_rating', 'cover_id', 'locks'])
      .orderBy('id')
      .execute(),
    series: await read.selectFrom('series').select(['id', 'book_count']).orderBy('id').execute(),
    files: await read.selectFrom('file').select(['book_id', 'folder', 'name', 'state']).orderBy('book_id').execute(),
    library: await read.selectFrom('library').select(['book_count', 'series_count']).execute(),
    events: await read.selectFrom('reading_log').select(['user_id', 'id', 'book_id']).orderBy('id').execute(),
    progress: await read.selectFrom('read_progress').selectAll().orderBy('user_id').orderBy('book_id').execute(),
    ofSeries: await read.selectFrom('series_progress').selectAll().orderBy('user_id').orderBy('series_id').execute(),
    completions: await read.selectFrom('read_completion').selectAll().orderBy('id').execute(),
    removed: await read.selectFrom('removed_completion').selectAll().orderBy('id').execute(),
    ratings: await read.selectFrom('book_rating').selectAll().orderBy('id').execute(),
    wanted: await read.selectFrom('want_to_read').selectAll().orderBy('id').execute(),
    entries: await read
      .selectFrom('read_list_book')
      .select(['id', 'read_list_id', 'book_id', 'position'])
      .orderBy('id')
      .execute(),
    bookmarks: await read.selectFrom('bookmark').select(['id', 'book_id', 'note']).orderBy('id').execute(),
    annotations: await read.selectFrom('annotation').select(['id', 'book_id', 'quote']).orderBy('id').execute(),
    covers: await read.selectFrom('cover').select(['id', 'entity_id']).orderBy('id').execute(),
    layers: await read
      .selectFrom('metadata_layer')
      .select(['entity_id', 'source', 'fields'])
      .orderBy('entity_id')
      .orderBy('source')
      .execute(),
  }
}

const cover = (entity_id: string) => ({
  id: newId(),
  entity: 'book' as const,
  entity_id,
  source: 'upload',
  page: null,
  width: 10,
  height: 10,
  placeholder: 'cover',
  content_hash: newId(),
  created_at: at,
  by_user_id: null,
})

/** Two books in one series and a third in another, all the same. */
const addThree = async (server: TestServer, library: AddedLibrary) => {
  const { db } = server.context
  const saga = await addSeries(db, library, { title: 'Saga' })
  const again = await addSeries(db, library, { title: 'Saga again' })
  const [stays = '', copy = '', other = ''] = await addBooks(db, saga, [{}, {}, {}])
  const [away = ''] = await addBooks(db, again, [{}])
  return { saga, again, stays, copy, other, away, groupId: await groupBooks(db, [stays, copy, away]) }
}

test('CAT-7 READ-1 what people have on books that are merged goes to the one that stays, and comes back when it is undone', async () => {
  await using server = await startServer()
  const { db } = server.context
  const { saga, again, stays, copy, other, away, groupId } = await addThree(server, await addLibrary(db))
  const editor = await server.person('editor')
  const [ann, ben] = [await server.person('reader'), await server.person('reader')]
  const read = (person: Person, id: string) => person.call(api.markBookRead, { params: { id } })
  const rate = (person: Person, id: string, rating: number, notes: string) =>
    person.call(api.saveBookRating, { params: { id }, body: { rating, notes } })
  const done: readonly { readonly ok: boolean }[] = [
    await read(ann, copy),
    await read(ann, away),
    await read(ann, stays),
    await ben.call(api.saveProgress, { params: { id: away }, body: { currentPage: 4 } }),
    await bookmark(ann, away),
    await bookmark(ben, copy),
    await bookmark(ann, stays),
    await highlight(ann, copy),
    await rate(ann, stays, 40, 'Mine'),
    await rate(ann, copy, 90, 'Newer'),
    await rate(ben, away, 60, 'Alone'),
    await ann.call(api.addWantToRead, { body: { bookId: away } }),
    await ann.call(api.addWantToRead, { body: { bookId: other } }),
    await ann.call(api.addWantToRead, { body: { bookId: copy } }),
    await editor.call(api.editBookMetadata, { params: { id: copy }, body: { summary: 'Of the copy', title: 'Copy' } }),
    await editor.call(api.editBookMetadata, { params: { id: away }, body: { summary: 'Of the third', tags: ['far'] } }),
  ]
  expect(done.filter(({ ok }) => !ok)).toEqual([])
  const [completion] = bodyOf(await ann.call(api.readReadHistory, { params: { id: away } })).entries
  await ann.call(api.deleteReadCompletion, { params: { id: away, completionId: completion?.id ?? '' } })
  const lists = [
    await editor.call(api.createReadList, { body: { name: 'Two of them' } }),
    await editor.call(api.createReadList, { body: { name: 'All of them' } }),
  ].map((outcome) => bodyOf(outcome).id)
  const [two = '', all = ''] = lists
  const fill = (id: string, bookIds: string[]) => editor.call(api.addToReadList, { params: { id }, body: { bookIds } })
  await fill(two, [away, other, copy])
  await fill(all, [copy, other, stays])
  const covers = [cover(copy), cover(away), { ...cover(copy), source: 'file' }]
  await db.write(async (db) => {
    await insertMany(db, 'cover', covers)
    const chosen = { cover_id: covers[0]?.id ?? null, locks: '["cover"]' }
    await db.updateTable('book').set(chosen).where('id', '=', copy).execute()
  })

  const before = await everything(server)
  const merged = bodyOf(await merge(editor, groupId, { into: stays }))
  expect(merged).toMatchObject({ bookId: stays, mergedIds: [copy, away].sort() })

  for (const id of [copy, away]) expect((await editor.call(api.readBook, { params: { id } })).status).toBe(404)
  const shown = bodyOf(await editor.call(api.listBooks, {})).data.map(({ id }) => id)
  expect(shown.sort()).toEqual([stays, other].sort())
  // A series without books is kept, and not there for those who read (C23).
  expect((await ann.call(api.readSeries, { params: { id: again.id } })).status).toBe(404)
  expect(bodyOf(await ann.call(api.listSeries, {})).data).toMatchObject([{ id: saga.id, bookCount: 2 }])
  const history = bodyOf(await ann.call(api.readReadHistory, { params: { id: stays } }))
  expect(history).toMatchObject({ readCount: 1 })
  expect(bodyOf(await ben.call(api.readProgress, { params: { id: stays } }))).toMatchObject({ currentPage: 4 })
  const after = await everything(server)
  const ratings = after.ratings.map(({ user_id, book_id, rating, notes }) =>
    [user_id, book_id, rating, notes].join(' '),
  )
  expect(ratings.sort()).toEqual([`${ann.id} ${stays} 90 Newer\n\nMine`, `${ben.id} ${stays} 60 Alone`].sort())
  const wantList = bodyOf(await ann.call(api.listWantToRead, {})).data.map((entry) => entry.bookId)
  expect(wantList).toEqual([stays, other])
  const inList = async (id: string) =>
    bodyOf(await ann.call(api.listBooksOfReadList, { params: { id } })).data.map((book) => book.id)
  expect(await inList(two)).toEqual([stays, other])
  expect(await inList(all)).toEqual([other, stays])
  expect(new Set([...after.bookmarks, ...after.annotations].map(({ book_id }) => book_id))).toEqual(new Set([stays]))
  // What is made from a file stays with the file.
  expect(after.covers.map(({ entity_id }) => entity_id)).toEqual([stays, stays, copy])
  const book = bodyOf(await editor.call(api.readBook, { params: { id: stays } }))
  expect(book.metadata).toMatchObject({ summary: 'Of the copy', tags: ['far'] })
  expect(book.title).toBe('Saga 1')
  expect(after.books.find(({ id }) => id === stays)).toMatchObject({ cover_id: covers[0]?.id })
  expect(bodyOf(await editor.call(api.listBookDuplicates, {}))).toMatchObject({ totalGroups: 0 })
  const events = await db.read.selectFrom('event').select(['type', 'data']).orderBy('number').execute()
  const about = (type: string) =>
    events.filter((event) => event.type === type).map(({ data }) => (JSON.parse(data) as { bookId: string }).bookId)
  expect(about('book_deleted')).toEqual([copy, away].sort())

  const listed = bodyOf(await editor.call(api.listBookMerges, {}))
  expect(listed.data).toMatchObject([{ id: merged.mergeId, intoId: stays, by: { id: editor.id }, undoneAt: null }])
  expect(bodyOf(await undo(editor, merged.mergeId))).toEqual({ bookId: stays, restoredIds: [copy, away].sort() })
  expect(await everything(server)).toEqual(before)
  expect(bodyOf(await editor.call(api.listBookDuplicates, {})).duplicates).toMatchObject([{ id: groupId }])
  expect(errorOf(await undo(editor, merged.mergeId))).toMatchObject({ error: 'conflict', reason: 'undone_already' })
  expect(bodyOf(await editor.call(api.listBookMerges, {})).data).toMatchObject([{ undoneAt: expect.any(String) }])
  const news = await db.read.selectFrom('event').select('data').where('type', '=', 'book_restored').execute()
  expect(news.map(({ data }) => (JSON.parse(data) as { bookId: string }).bookId).sort()).toEqual([copy, away].sort())
})

test('CAT-7 what was done after a merge of books stays with the one that stayed', async () => {
  await using server = await startServer()
  const { db } = server.context
  const { stays, copy, other, away, groupId } = await addThree(server, await addLibrary(db))
  const editor = await server.person('editor')
  const ann = await server.person('reader')
  const rate = (id: string, rating: number) => ann.call(api.saveBookRating, { params: { id }, body: { rating } })
  const edit = (id: string, body: object) => editor.call(api.editBookMetadata, { params: { id }, body })
  bodyOf(await rate(copy, 30))
  const early = bodyOf(await bookmark(ann, copy)).id
  const gone = bodyOf(await highlight(ann, copy)).id
  bodyOf(await ann.call(api.addWantToRead, { body: { bookId: copy } }))
  bodyOf(await ann.call(api.saveProgress, { params: { id: copy }, body: { currentPage: 3 } }))
  bodyOf(await edit(copy, { summary: 'Of the copy', publisher: 'Lantern' }))
  const list = bodyOf(await editor.call(api.createReadList, { body: { name: 'Of the copy' } })).id
  await editor.call(api.addToReadList, { params: { id: list }, body: { bookIds: [other, copy] } })
  await db.write((db) => insertMany(db, 'cover', [cover(copy)]))
  // One after the other: what was part of the first is part of the second, and they are taken back in turn.
  const first = bodyOf(await merge(editor, groupId, { into: away, books: [copy] })).mergeId
  const second = bodyOf(await merge(editor, groupId, { into: stays })).mergeId

  bodyOf(await rate(stays, 70))
  const later = bodyOf(await bookmark(ann, stays)).id
  bodyOf(await ann.call(api.deleteAnnotation, { params: { id: stays, annotationId: gone } }))
  bodyOf(await ann.call(api.dropBookToRead, { params: { id: stays } }).then(() => ann.call(api.listWantToRead, {})))
  bodyOf(await ann.call(api.saveProgress, { params: { id: stays }, body: { currentPage: 9 } }))
  bodyOf(await edit(stays, { summary: 'Better', ageRating: 16 }))
  await editor.call(api.removeFromReadList, { params: { id: list, bookId: stays } })
  expect((await undo(editor, first)).status).toBe(404)
  expect((await undo(ann, second)).status).toBe(403)
  bodyOf(await undo(editor, second))
  await keepAsEarlier(server, first)
  bodyOf(await undo(editor, first))

  const marksIn = async (id: string) => ({
    bookmarks: bodyOf(await ann.call(api.listBookmarks, { params: { id } })).data.map((each) => each.id),
    annotations: bodyOf(await ann.call(api.listAnnotations, { params: { id } })).total,
  })
  expect(await marksIn(copy)).toEqual({ bookmarks: [early], annotations: 0 })
  expect(await marksIn(stays)).toEqual({ bookmarks: [later], annotations: 0 })
  expect(await db.read.selectFrom('cover').select('entity_id').execute()).toEqual([{ entity_id: copy }])
  const ratings = await db.read.selectFrom('book_rating').select(['book_id', 'rating']).orderBy('rating').execute()
  expect(ratings).toEqual([
    { book_id: copy, rating: 30 },
    { book_id: stays, rating: 70 },
  ])
  expect(bodyOf(await ann.call(api.listWantToRead, {})).total).toBe(0)
  const standing = async (id: string) => bodyOf(await ann.call(api.readProgress, { params: { id } }))
  expect(await standing(copy)).toMatchObject({ currentPage: 3 })
  expect(await standing(stays)).toMatchObject({ currentPage: 9 })
  const metadata = async (id: string) => bodyOf(await editor.call(api.readBookMetadata, { params: { id } }))
  expect(await metadata(stays)).toMatchObject({ summary: 'Better', publisher: null, ageRating: 16 })
  // What was rated higher was all of it.
  expect(await metadata(copy)).toMatchObject({ summary: 'Of the copy', publisher: 'Lantern', ageRating: 16 })
  expect(bodyOf(await editor.call(api.listBooksOfReadList, { params: { id: list } })).data).toMatchObject([
    { id: other },
  ])
  expect(bodyOf(await editor.call(api.listBookMerges, {})).total).toBe(2)
})

test('HTTP-3 AUTH-7 books that are not seen by the same people stay apart, and nobody undoes what they do not see', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const elsewhere = await addLibrary(db, { name: 'Other', path: '/data/other' })
  const editor = await server.person('editor')
  const add = async (library: AddedLibrary, series: SeriesOptions, ageRating?: number) => {
    const added = await addSeries(db, library, { title: newId(), ...series })
    const [id = ''] = await addBooks(db, added, [{}])
    if (ageRating !== undefined)
      bodyOf(await editor.call(api.editBookMetadata, { params: { id }, body: { ageRating } }))
    return id
  }
  const plain = await add(library, {})
  const early = [await add(library, {}, 18), await add(library, {}, 6)]
  // While nobody's sight ends at an age, nobody loses anything; the higher rating counts.
  const group = await groupBooks(db, early)
  const { mergeId } = bodyOf(await merge(editor, group, { into: early[1] ?? '' }))
  expect(bodyOf(await editor.call(api.readBookMetadata, { params: { id: early[1] ?? '' } })).ageRating).toBe(18)

  const denied = newId()
  await db.write((db) =>
    insertMany(db, 'sharing_tag', [
      {
        id: denied,
        name: 'Denied',
        name_key: 'denied',
        name_text: 'denied',
        sort_key: 'denied',
        description: null,
        created_at: at,
        updated_at: at,
      },
    ]),
  )
  await server.person('reader', { access: { ageCeiling: 12, denyTags: [denied] } })
  const child = await server.person('editor', { access: { ageCeiling: 12 } })
  expect((await undo(child, mergeId)).status).toBe(404)
  expect(bodyOf(await child.call(api.listBookMerges, {})).total).toBe(0)
  bodyOf(await undo(editor, mergeId))

  for (const [strange, reason] of [
    [await add(library, {}, 16), 'sight_differs'],
    [await add(library, { sharingTags: [denied] }), 'sight_differs'],
    [await add(elsewhere, {}), 'other_library'],
  ] as const) {
    const id = await groupBooks(db, [plain, strange])
    for (const into of [plain, strange])
      expect(errorOf(await merge(editor, id, { into }))).toMatchObject({ error: 'conflict', reason })
  }
  const same = await add(library, {})
  const id = await groupBooks(db, [plain, same])
  expect(errorOf(await merge(editor, id, { into: newId() }))).toMatchObject({ details: [{ path: '/into' }] })
  expect(errorOf(await merge(editor, id, { into: same, books: [early[0] ?? ''] }))).toMatchObject({
    details: [{ path: '/books/0' }],
  })
  expect((await merge(editor, newId(), { into: same })).status).toBe(404)
})

/** A scanned library of three files, two of them the same; these two are merged. */
const mergedOnDisk = async (server: TestServer, { path, write: put }: LibraryFolder) => {
  const { db } = server.context
  const write = (name: string, seed: number) => put(name, comic({ seed, pages: 2 }))
  await write('Saga/01.cbz', 1)
  await write('Saga/02.cbz', 2)
  await write('Saga again/01.cbz', 1)
  const library = await addLibraryOn(server, { roots: [path] })
  await scanNow(server, library)
  const editor = await server.person('editor')
  const idAt = async (name: string) => (await booksOf(server, library)).get(name)?.id ?? name
  const [stays, copy, second] = [await idAt('Saga/01.cbz'), await idAt('Saga again/01.cbz'), await idAt('Saga/02.cbz')]
  bodyOf(await editor.call(api.markBookRead, { params: { id: copy } }))
  const { mergeId } = bodyOf(await merge(editor, await groupBooks(db, [stays, copy]), { into: stays }))
  const listed = async () => bodyOf(await editor.call(api.listBooks, {})).data.map(({ id }) => id)
  /** Which book each file is. */
  const files = async () => {
    const rows = await db.read
      .selectFrom('file')
      .select(['book_id', 'folder', 'name'])
      .where('state', '=', 'present')
      .execute()
    return Object.fromEntries(rows.map((row) => [row.folder + row.name, row.book_id]))
  }
  return { library, editor, idAt, stays, copy, second, mergeId, listed, files, write }
}

test('CAT-7 LIB-5 the file of a merged book stays a part of the other one, and stands in for its file', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const merged = await mergedOnDisk(server, folder)
  const { library, editor, idAt, stays, copy, second, listed, files, write } = merged

  // Read again, and moved: the same part of the same book.
  await rename(folder.in('Saga again'), folder.in('Elsewhere'))
  await write('Saga/03.cbz', 3)
  expect(await scanNow(server, library, 'full')).toMatchObject({ books_added: 1, books_missing: 0 })
  const third = await idAt('Saga/03.cbz')
  expect((await listed()).sort()).toEqual([stays, second, third].sort())
  const others = { 'Saga/02.cbz': second, 'Saga/03.cbz': third }
  expect(await files()).toEqual({ ...others, 'Saga/01.cbz': stays, 'Elsewhere/01.cbz': copy })

  // Its own file goes: the other one is its file now, and what was read in it is still read.
  await rm(folder.in('Saga/01.cbz'))
  await scanNow(server, library)
  expect(await files()).toEqual({ ...others, 'Elsewhere/01.cbz': stays })
  const book = bodyOf(await editor.call(api.readBook, { params: { id: stays } }))
  expect(book).toMatchObject({ deleted: false, pageCount: 2, readProgress: { completed: true } })
  // Nobody is asked whether a part is the whole.
  expect(await server.context.db.read.selectFrom('relink').selectAll().execute()).toEqual([])

  bodyOf(await undo(editor, merged.mergeId))
  expect((await listed()).sort()).toEqual([stays, second, third].sort())
  const back = bodyOf(await editor.call(api.readBook, { params: { id: copy } }))
  expect(back).toMatchObject({ deleted: true, readProgress: { completed: true } })
})

test('CAT-7 LIB-5 C11 of merged books that were away whichever file comes first is the book, and one more copy is another', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const merged = await mergedOnDisk(server, folder)
  const { library, editor, idAt, stays, copy, second, listed, files, write } = merged

  await rm(folder.in('Saga/01.cbz'))
  await rm(folder.in('Saga again/01.cbz'))
  await scanNow(server, library)
  expect(bodyOf(await editor.call(api.readBook, { params: { id: stays } })).deleted).toBe(true)
  expect(await listed()).toEqual([second])
  await write('Saga/01 again.cbz', 1)
  await write('Saga/04.cbz', 1)
  await scanNow(server, library)
  const there = await files()
  expect([there['Saga/01 again.cbz'] ?? '', there['Saga/04.cbz'] ?? ''].sort()).toEqual([stays, copy].sort())
  expect((await listed()).sort()).toEqual([stays, second].sort())

  await rename(folder.in('Saga/02.cbz'), folder.in('Saga/Two.cbz'))
  await write('Saga/05.cbz', 1)
  expect(await scanNow(server, library)).toMatchObject({ books_added: 1, books_moved: 1, books_missing: 0 })
  const fifth = await idAt('Saga/05.cbz')
  const { 'Saga/02.cbz': _, ...others } = there
  expect(await files()).toEqual({ ...others, 'Saga/Two.cbz': second, 'Saga/05.cbz': fifth })

  bodyOf(await undo(editor, merged.mergeId))
  expect((await listed()).sort()).toEqual([stays, copy, second, fifth].sort())
  const back = bodyOf(await editor.call(api.readBook, { params: { id: copy } }))
  expect(back).toMatchObject({ deleted: false, readProgress: { completed: true } })
  expect(await scanNow(server, library)).toMatchObject({ books_added: 0, books_missing: 0, books_moved: 0 })
})
