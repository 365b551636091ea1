import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { newFolder, storePath } from './stores/read.ts'
import { copyFileSync } from 'node:fs'

/** Large stores in the schemas of other servers, full of what real ones have: nulls, odd times, positions behind the end, files that are gone. */

export const booksInSeries = 50
const usersInStore = 5
/** So many pages have the books here. */
export const pagesHere = 20

export interface LargeStore {
  readonly path: string
  /** The statements that compare are the test's own: this is the file as it was written. */
  readonly db: Sqlite.Database
}

type Row = Record<string, string | number | bigint | null | Uint8Array>

const copied = (kind: 'komga' | 'kavita', name: string): LargeStore => {
  const path = join(newFolder(), name)
  copyFileSync(storePath(kind, name), path)
  const db = new Sqlite(path)
  db.pragma('foreign_keys = off')
  return { path, db }
}

/** It writes rows like the first one of a table, but for what is said. */
const likeTheFirst = (db: Sqlite.Database, table: string) => {
  const first = db.prepare<[], Row>(`select * from "${table}" limit 1`).get() ?? {}
  db.exec(`delete from "${table}"`)
  const names = Object.keys(first)
  const insert = db.prepare(
    `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`,
  )
  return (changes: Row): void =>
    void insert.run(names.map((name) => changes[name] ?? (name in changes ? null : first[name])))
}

/** The same numbers in every run. */
const numbersFrom = (seed: number) => {
  let state = seed >>> 0
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export const bookPath = (series: number, book: number): string =>
  `Series ${series}/Series ${series} ${String(book).padStart(3, '0')}.cbz`

const emptied = ['READ_PROGRESS_SERIES', 'USER_SHARING', 'USER_LIBRARY_SHARING', 'THUMBNAIL_BOOK', 'THUMBNAIL_SERIES']
const emptiedOfKavita = ['AppUserReadingSession', 'AppUserChapterRating', 'AppUserOnDeckRemoval', 'AppUserBookmark']

const clear = (db: Sqlite.Database, tables: readonly string[]): void => {
  const tableNames = new Set(
    db.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all(),
  )
  for (const table of tables) if (tableNames.has(table)) db.exec(`delete from "${table}"`)
}

const two = (value: number): string => String(value).padStart(2, '0')

/** Fractions of a second have any number of digits. */
const fractions = ['', '.0', '.7', '.25', '.123', '.123456', '.999999999'] as const

const timeOf = (draw: (below: number) => number): string =>
  `20${two(19 + draw(6))}-${two(1 + draw(12))}-${two(1 + draw(28))} ${two(draw(24))}:${two(draw(60))}:${two(draw(60))}${fractions[draw(fractions.length)]}`

/** One book in twenty has gone since; what is read in it has nowhere to go. */
const isGone = (at: number): boolean => at % 20 === 19
const pathOf = (at: number): string => {
  const [series, book] = [Math.floor(at / booksInSeries) + 1, (at % booksInSeries) + 1]
  return isGone(at) ? `Gone ${series}/Gone ${series} ${book}.cbz` : bookPath(series, book)
}

export const writeLargeKomga = (books: number, seed: number): LargeStore => {
  const store = copied('komga', 'database.sqlite')
  const { db } = store
  const draw = numbersFrom(seed)
  const url = (path: string): string => `file:/media/comics/${path.split('/').map(encodeURIComponent).join('/')}`
  db.transaction(() => {
    clear(db, emptied)
    const library = likeTheFirst(db, 'LIBRARY')
    const [user, role] = [likeTheFirst(db, 'USER'), likeTheFirst(db, 'USER_ROLE')]
    const [series, words] = [likeTheFirst(db, 'SERIES'), likeTheFirst(db, 'SERIES_METADATA')]
    const [book, bookWords, media] = [
      likeTheFirst(db, 'BOOK'),
      likeTheFirst(db, 'BOOK_METADATA'),
      likeTheFirst(db, 'MEDIA'),
    ]
    const state = likeTheFirst(db, 'READ_PROGRESS')
    const [list, member] = [likeTheFirst(db, 'READLIST'), likeTheFirst(db, 'READLIST_BOOK')]
    clear(db, ['COLLECTION', 'COLLECTION_SERIES'])
    library({ ID: 'LIB', NAME: 'Large', ROOT: 'file:/media/comics/', ONESHOTS_DIRECTORY: null })
    for (let index = 0; index < usersInStore; index += 1) {
      user({ ID: `U${index}`, EMAIL: `reader${index}@large.example` })
      role({ USER_ID: `U${index}`, ROLE: 'PAGE_STREAMING' })
    }
    for (let index = 1; index <= Math.ceil(books / booksInSeries); index += 1) {
      const name = `Series ${index}`
      series({ ID: `S${index}`, NAME: name, URL: `${url(name)}/`, LIBRARY_ID: 'LIB' })
      words({ SERIES_ID: `S${index}`, TITLE: name, TITLE_SORT: name })
    }
    for (let at = 0; at < books; at += 1) {
      const number = (at % booksInSeries) + 1
      const path = pathOf(at)
      const seriesId = `S${Math.floor(at / booksInSeries) + 1}`
      const pages = draw(4) === 0 ? pagesHere + 5 : pagesHere
      const own = { ID: `B${at}`, NAME: path, URL: url(path), SERIES_ID: seriesId, LIBRARY_ID: 'LIB', NUMBER: number }
      book({
        ...own,
        FILE_SIZE: 1000,
        FILE_HASH: '',
        FILE_HASH_KOREADER: '',
        DELETED_DATE: draw(30) === 0 ? timeOf(draw) : null,
      })
      bookWords({
        BOOK_ID: `B${at}`,
        NUMBER: isGone(at) ? `X${at}` : String(number),
        NUMBER_SORT: number,
        TITLE: `Part ${at}`,
      })
      media({ BOOK_ID: `B${at}`, PAGE_COUNT: pages })
      for (let reader = 0; reader < usersInStore; reader += 1) {
        if (draw(3) !== 0) continue
        const completed = draw(2)
        const odd = draw(12)
        state({
          BOOK_ID: `B${at}`,
          USER_ID: `U${reader}`,
          PAGE: completed ? pages : odd === 3 ? 0 : odd === 4 ? pages + 40 : 1 + draw(pages - 1),
          COMPLETED: completed,
          READ_DATE: odd === 0 ? null : odd === 1 ? 'not a time' : timeOf(draw),
          CREATED_DATE: timeOf(draw),
          LAST_MODIFIED_DATE: timeOf(draw),
          locator: null,
        })
      }
    }
    for (let index = 0; index < 20; index += 1) {
      list({ ID: `L${index}`, NAME: `List ${index}`, ORDERED: 1, SUMMARY: '' })
      const members = new Set(Array.from({ length: 30 }, () => draw(books)))
      // The order has gaps.
      for (const [position, at] of [...members].entries())
        member({ READLIST_ID: `L${index}`, BOOK_ID: `B${at}`, NUMBER: position * 3 })
    }
  })()
  return store
}

export const writeLargeKavita = (books: number, seed: number): LargeStore => {
  const store = copied('kavita', 'kavita.db')
  const { db } = store
  const draw = numbersFrom(seed)
  db.transaction(() => {
    clear(db, emptiedOfKavita)
    const [library, folder] = [likeTheFirst(db, 'Library'), likeTheFirst(db, 'FolderPath')]
    const [user, role] = [likeTheFirst(db, 'AspNetUsers'), likeTheFirst(db, 'AspNetUserRoles')]
    const [series, words] = [likeTheFirst(db, 'Series'), likeTheFirst(db, 'SeriesMetadata')]
    const [volume, chapter, file] = [
      likeTheFirst(db, 'Volume'),
      likeTheFirst(db, 'Chapter'),
      likeTheFirst(db, 'MangaFile'),
    ]
    const [state, rating] = [likeTheFirst(db, 'AppUserProgresses'), likeTheFirst(db, 'AppUserRating')]
    const [list, member] = [likeTheFirst(db, 'ReadingList'), likeTheFirst(db, 'ReadingListItem')]
    library({ Id: 1, Name: 'Large' })
    folder({ Id: 1, LibraryId: 1, Path: '/library/comics' })
    for (let index = 1; index <= usersInStore; index += 1) {
      const name = `reader${index}`
      const shared = { UserName: name, NormalizedUserName: name.toUpperCase(), Email: `${name}@large.example` }
      user({ Id: index, ...shared, NormalizedEmail: shared.Email.toUpperCase(), ApiKey: `key-${index}` })
      role({ UserId: index, RoleId: 2 })
    }
    const ids = { state: 0, rating: 0, item: 0 }
    for (let index = 1; index <= Math.ceil(books / booksInSeries); index += 1) {
      const name = `Series ${index}`
      const names = {
        Name: name,
        OriginalName: name,
        LocalizedName: name,
        SortName: name,
        NormalizedName: `series${index}`,
      }
      series({
        Id: index,
        LibraryId: 1,
        ...names,
        FolderPath: `/library/comics/${name}`,
        LowestFolderPath: `/library/comics/${name}`,
      })
      words({ Id: index, SeriesId: index })
      volume({ Id: index, SeriesId: index })
      for (let reader = 1; reader <= usersInStore; reader += 1) {
        const odd = draw(5)
        if (odd === 0) continue
        ids.rating += 1
        rating({
          Id: ids.rating,
          AppUserId: reader,
          SeriesId: index,
          HasBeenRated: odd === 1 ? 0 : 1,
          Rating: odd === 1 ? 0 : 0.5 * (1 + draw(10)),
          Review: odd === 2 ? null : `Said by ${reader} of ${index}, “odd” & <b>plain</b>.`,
          LastModifiedUtc: timeOf(draw),
        })
      }
    }
    for (let at = 0; at < books; at += 1) {
      const path = pathOf(at)
      const seriesId = Math.floor(at / booksInSeries) + 1
      const number = isGone(at) ? 100_000 + at : (at % booksInSeries) + 1
      const pages = draw(4) === 0 ? pagesHere + 5 : pagesHere
      const shown = {
        Number: String(number),
        Range: String(number),
        MinNumber: number,
        MaxNumber: number,
        SortOrder: number,
      }
      chapter({
        Id: at + 1,
        VolumeId: seriesId,
        ...shown,
        Title: String(number),
        TitleName: `Part ${at}`,
        Pages: pages,
      })
      const where = { FilePath: `/library/comics/${path}`, FileName: path.split('/').at(-1)?.replace('.cbz', '') ?? '' }
      file({ Id: at + 1, ChapterId: at + 1, ...where, Pages: pages, KoreaderHash: null, Bytes: 1000 })
      for (let reader = 1; reader <= usersInStore; reader += 1) {
        if (draw(3) !== 0) continue
        ids.state += 1
        const odd = draw(12)
        state({
          Id: ids.state,
          AppUserId: reader,
          LibraryId: 1,
          SeriesId: seriesId,
          VolumeId: seriesId,
          ChapterId: at + 1,
          PagesRead: odd === 0 ? 0 : odd === 1 ? pages + 9 : draw(2) === 0 ? pages : 1 + draw(pages - 1),
          TotalReads: 0,
          BookScrollId: null,
          CreatedUtc: timeOf(draw),
          LastModifiedUtc: odd === 2 ? '0001-01-01 00:00:00' : timeOf(draw),
        })
      }
    }
    for (let index = 1; index <= 10; index += 1) {
      list({
        Id: index,
        AppUserId: 1 + draw(usersInStore),
        Title: `List ${index}`,
        NormalizedTitle: `list${index}`,
        Promoted: 1,
      })
      const members = [...new Set(Array.from({ length: 25 }, () => draw(books)))]
      for (const [position, at] of members.entries()) {
        ids.item += 1
        const seriesId = Math.floor(at / booksInSeries) + 1
        member({
          Id: ids.item,
          ReadingListId: index,
          Order: position,
          SeriesId: seriesId,
          VolumeId: seriesId,
          ChapterId: at + 1,
        })
      }
    }
  })()
  return store
}
