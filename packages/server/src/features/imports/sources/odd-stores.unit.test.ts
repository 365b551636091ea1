import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  changedStore,
  halfOf,
  newFolder,
  ofType,
  passedOverIn,
  readAll,
  sourceOf,
  storePath,
  tablesOf,
} from '../../../../test/stores/read.ts'
import { type ForeignRecord, type Reader, recordLimits, SourceFault } from '../records.ts'
import { calibre } from './calibre/calibre.ts'
import { codex } from './codex/codex.ts'
import { kavita } from './kavita/kavita.ts'
import { komga } from './komga/komga.ts'
import { stump } from './stump/stump.ts'

const stores: readonly { readonly reader: Reader; readonly name: string }[] = [
  { reader: komga, name: 'database.sqlite' },
  { reader: kavita, name: 'kavita.db' },
  { reader: codex, name: 'codex.db' },
  { reader: calibre, name: 'library/metadata.db' },
  { reader: stump, name: 'stump.db' },
]

const pathOf = ({ reader, name }: (typeof stores)[number]): string => storePath(reader.kind, name)

const fileOf = (content: Uint8Array | string): string => {
  const file = join(newFolder(), 'store.db')
  writeFileSync(file, content)
  return file
}

const longestIn = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Math.max(0, ...Object.values(value).map(longestIn))
}

/** What holds of every record of every store, however strange it is. */
const expectSound = (records: readonly ForeignRecord[]): void => {
  expect(Math.max(...records.map(longestIn))).toBeLessThanOrEqual(recordLimits.prose)
  for (const book of ofType(records, 'book')) {
    expect(book.path?.startsWith('/') ?? false).toBe(false)
    expect(book.path?.split('/').includes('..') ?? false).toBe(false)
  }
  for (const { position, pages } of ofType(records, 'progress')) {
    expect(position.page ?? 1).toBeGreaterThanOrEqual(1)
    expect(position.page ?? 1).toBeLessThanOrEqual(10_000_001)
    expect(position.fraction ?? 0).toBeGreaterThanOrEqual(0)
    expect(position.fraction ?? 0).toBeLessThanOrEqual(1)
    expect(pages).not.toBe(0)
  }
  for (const { rating } of ofType(records, 'rating')) {
    expect(rating ?? 1).toBeGreaterThanOrEqual(1)
    expect(rating ?? 1).toBeLessThanOrEqual(100)
  }
  expect(JSON.stringify(records)).not.toContain('\\u0000')
}

describe.each(stores)('$reader.kind', (store) => {
  const { reader } = store
  const read = (path: string) => readAll(reader, sourceOf(path))

  it.each([
    ['half a copy', () => halfOf(pathOf(store)), 'damaged'],
    ['a text', () => '{"categories": []}', 'wrong_kind'],
    ['nothing', () => '', 'wrong_kind'],
  ])('C25 refuses %s with why', async (_, content, code) => {
    await expect(read(fileOf(content()))).rejects.toMatchObject({ name: 'SourceFault', code })
  })

  it('C25 refuses what is not there, and the database of another server', async () => {
    await expect(read(join(newFolder(), 'none.db'))).rejects.toMatchObject({ name: 'SourceFault', code: 'not_found' })
    for (const other of stores.filter((each) => each !== store))
      await expect(read(pathOf(other))).rejects.toMatchObject({ name: 'SourceFault', code: 'wrong_kind' })
  })

  it('C25 reads a store without one of its tables, or says why it cannot', async () => {
    for (const table of tablesOf(pathOf(store))) {
      const changed = changedStore(pathOf(store), `drop table "${table}"`)
      const fault: unknown = await read(changed).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect([table, fault instanceof SourceFault ? undefined : fault]).toEqual([table, undefined])
    }
  })

  it('C25 leaves the store as it was', async () => {
    const before = halfOf(pathOf(store))
    await read(pathOf(store))
    expect(halfOf(pathOf(store)).equals(before)).toBe(true)
  })
})

const long = `replace(hex(zeroblob(100000)), '00', 'ü')`
const markup = `'Robert''); DROP TABLE Chapter;-- <script>alert(1)</script> ' || char(8238) || char(0) || 'x'`

describe('kavita, odd', () => {
  const read = async (...statements: readonly string[]) => {
    const records = await readAll(kavita, sourceOf(changedStore(storePath('kavita', 'kavita.db'), statements)))
    expectSound(records)
    return records
  }

  it('C25 cuts endless names, and takes SQL and markup for text', async () => {
    const records = await read(
      `update Series set Name = ${long}, LocalizedName = ${long} where Id = 1`,
      `update Series set Name = ${markup} where Id = 2`,
      `update SeriesMetadata set Summary = ${long} || ${long}`,
      `update Chapter set Summary = ${long}, TitleName = ${long}`,
      `update Person set Name = ${long}`,
    )
    const [first, second] = ofType(records, 'series')
    expect(first?.title).toBe('ü'.repeat(recordLimits.line))
    expect(second?.title).toContain("Robert'); DROP TABLE Chapter;-- <script>")
    expect(ofType(records, 'book')).toHaveLength(60)
  })

  it('C25 passes over pages and times that are none, and what points nowhere', async () => {
    const records = await read(
      'update AppUserProgresses set PagesRead = -1 where Id = 1',
      'update AppUserProgresses set PagesRead = 9223372036854775807 where Id = 2',
      "update AppUserProgresses set PagesRead = 'many' where Id = 3",
      'update AppUserProgresses set ChapterId = 999999 where Id = 4',
      'update AppUserProgresses set AppUserId = -7 where Id = 5',
      "update AppUserProgresses set LastModifiedUtc = '0001-01-01 00:00:00', CreatedUtc = 'yesterday' where Id = 6",
      "update AppUserProgresses set LastModifiedUtc = '9999-12-31 23:59:59.9999999' where Id = 7",
      'update Chapter set Pages = 0 where Id = (select ChapterId from AppUserProgresses where Id = 8)',
      'update AppUserBookmark set Page = -3 where Id = 1',
      'update AppUserRating set Rating = 1e300 where Id = 1',
      'update AppUserRating set Rating = 4, Review = null where HasBeenRated = 0',
      'update ReadingList set AppUserId = 99',
      'delete from Volume where Id = 1',
    )
    const passed = passedOverIn(records)
    expect(passed).toContainEqual({
      what: 'progress of nobody, in nothing, or on no page',
      reason: 'invalid',
      count: 5,
    })
    expect(passed).toContainEqual({ what: 'reading lists of nobody', reason: 'invalid', count: 4 })
    expect(passed).toContainEqual({ what: 'ratings that say nothing', reason: 'no_such_thing', count: 2 })
    expect(passed).toContainEqual({
      what: 'bookmarks of nobody, in nothing, or on no page',
      reason: 'invalid',
      count: 1,
    })
    expect(passed).toContainEqual({ what: 'chapters without a series', reason: 'invalid', count: 10 })
    expect(ofType(records, 'progress').filter(({ at }) => at === null).length).toBe(2)
  })

  it('C25 makes nothing of paths that lead out of their library', async () => {
    const records = await read(
      "update MangaFile set FilePath = '/library/comics/../../etc/passwd' where Id = 1",
      "update MangaFile set FilePath = '/library/comics-moreover/a.cbz' where Id = 2",
      "update MangaFile set FilePath = '' where Id = 3",
      "update MangaFile set FilePath = '/library/comics' where Id = 4",
      "update MangaFile set FilePath = '/library/comics-more/b.cbz' where Id = 5",
      "update MangaFile set FilePath = x'00ff00ff' where Id = 6",
      "insert into FolderPath (LastScanned, LibraryId, Path) values ('', 1, '/library/comics/deep')",
      "update MangaFile set FilePath = '/library/comics/deep/c.cbz' where Id = 7",
    )
    expect(
      ofType(records, 'book')
        .slice(0, 7)
        .map(({ path }) => path),
    ).toEqual([null, null, null, null, 'b.cbz', null, 'c.cbz'])
    expect(passedOverIn(records)).toContainEqual({
      what: 'paths that are in no folder of their library',
      reason: 'invalid',
      count: 3,
    })
  })

  it('C25 makes a book of each file of a chapter, and finds the one in which a page is', async () => {
    const progress = (id: number, pagesRead: number) =>
      `insert into AppUserProgresses (Id, AppUserId, ChapterId, PagesRead, TotalReads, SeriesId, VolumeId, LibraryId, Created, CreatedUtc, LastModified, LastModifiedUtc)
        select ${id}, ${id - 1000}, 1, ${pagesRead}, 0, 1, 1, 1, '', '2024-01-01 10:00:00', '', '2024-01-02 10:00:00'`
    const records = await read(
      `insert into MangaFile (Id, Bytes, ChapterId, Created, CreatedUtc, Extension, FileName, FilePath, Format, LastFileAnalysis, LastFileAnalysisUtc, LastModified, LastModifiedUtc, Pages)
        select 5000, 10, 1, '', '', '.cbz', 'b', '/library/comics/b.cbz', 1, '', '', '', '', 8 from MangaFile where Id = 1`,
      'update Chapter set Pages = 20 where Id = 1',
      'delete from AppUserProgresses where ChapterId = 1',
      'delete from AppUserReadingSessionActivityData where ChapterId = 1',
      progress(1001, 5),
      progress(1002, 14),
      progress(1003, 20),
    )
    expect(
      ofType(records, 'book')
        .slice(0, 2)
        .map(({ id, path, pages }) => [id, path?.split('/').at(-1), pages]),
    ).toEqual([
      ['1.1', 'The Lantern Coast (2019) #001.cbz', 12],
      ['1.5000', 'b.cbz', 8],
    ])
    const readProgress = ofType(records, 'progress')
      .filter(({ book }) => book.startsWith('1.'))
      .map(({ user, book, isCompleted, position }) => [user, book, isCompleted, position.page])
    expect(readProgress).toEqual([
      ['1', '1.1', false, 6],
      ['2', '1.1', true, null],
      ['2', '1.5000', false, 3],
      ['3', '1.1', true, null],
      ['3', '1.5000', true, null],
    ])
    expect(ofType(records, 'readList')[0]?.books.slice(0, 2)).toEqual(['1.1', '1.5000'])
  })

  it('C25 tells the state of a book whose sessions ended before it', async () => {
    const records = await read(
      "update AppUserReadingSessionActivityData set EndPage = 1, EndTimeUtc = '2023-01-01 00:00:00', StartTimeUtc = '2023-01-01 00:00:00'",
      'update AppUserReadingSession set IsGenerated = 0',
    )
    const logged = new Set(ofType(records, 'session').map(({ user, book }) => `${user} ${book}`))
    for (const { user, book, at, isCompleted } of ofType(records, 'progress').filter((each) =>
      logged.has(`${each.user} ${each.book}`),
    ))
      expect(ofType(records, 'session')).toContainEqual(
        expect.objectContaining({ user, book, at, kind: isCompleted ? 'completed' : 'progress' }),
      )
  })

  it('C25 reads a newer version as far as it is known, and says what is new', async () => {
    const records = await read("insert into __EFMigrationsHistory values ('20270101000000_Later', '11')")
    expect(passedOverIn(records)).toContainEqual({
      what: 'changes of the schema since Kavita 0.9.0.7, and what they added',
      reason: 'unreadable',
      count: 1,
    })
    await expect(read('alter table Chapter drop column SortOrder')).rejects.toMatchObject({
      code: 'unknown_version',
      message: expect.stringContaining('0.9.0.7'),
    })
  })

  it('C25 knows a locked out reader, a lower age, and a locked field that somebody has emptied', async () => {
    const records = await read(
      "delete from AspNetUserRoles where UserId = 2 and RoleId = (select Id from AspNetRoles where Name = 'Login')",
      'update AspNetUsers set AgeRestriction = 3 where Id = 3',
      'update SeriesMetadata set SummaryLocked = 1, Summary = null, WriterLocked = 1 where SeriesId = 1',
    )
    expect(ofType(records, 'user').map(({ isActive }) => isActive)).toEqual([true, false, true, true])
    expect(ofType(records, 'user')[2]?.ageCeiling).toBe(3)
    const metadata = ofType(records, 'series')[0]?.metadata
    expect(metadata?.['summary']).toEqual({ value: null, locked: true })
    expect(metadata?.['authors']).toMatchObject({
      locked: true,
      value: [{ name: 'Ivo Quern' }, { name: 'Salka Brume' }],
    })
  })
})

describe('codex, odd', () => {
  const read = async (...statements: readonly string[]) => {
    const records = await readAll(codex, sourceOf(changedStore(storePath('codex', 'codex.db'), statements)))
    expectSound(records)
    return records
  }
  const first = (table: string, nth = 0) => `rowid = (select rowid from ${table} order by rowid limit 1 offset ${nth})`

  it('C25 cuts endless names, and takes SQL and markup for text', async () => {
    const records = await read(
      `update series_metadata set title = ${long}, summary = ${long}`,
      `update series set name = ${markup}`,
      `update book_metadata set title = ${long}, authors_json = '[{"name": 5}, 7, {"name": "A", "role": null}]', title_lock = 1, authors_json_lock = 1`,
      `update user_series_ratings set notes = ${long}`,
    )
    expect(ofType(records, 'series')[0]?.title).toHaveLength(recordLimits.line)
    expect(ofType(records, 'book')[0]?.metadata['authors']?.value).toEqual([
      { name: '5', role: null },
      { name: 'A', role: null },
    ])
  })

  it('C25 passes over ids, pages and times that are none', async () => {
    const records = await read(
      `update books set id = 'nothing' where ${first('books')}`,
      `update read_progress set current_page = -1 where completed = 0 and ${first('read_progress where completed = 0 and progress_percentage is null')}`,
      `update read_progress set user_id = x'00' where ${first('read_progress', 1)}`,
      `update reading_sessions set client_ended_at = 'later' where ${first('reading_sessions')}`,
      `update reading_sessions set kind = 'dreamt' where ${first('reading_sessions', 1)}`,
      `update user_series_ratings set rating = 101, notes = null where ${first('user_series_ratings')}`,
      `update user_series_ratings set rating = 9223372036854775807 where ${first('user_series_ratings', 2)}`,
    )
    const passed = passedOverIn(records)
    expect(passed).toContainEqual({ what: 'books without an id', reason: 'invalid', count: 1 })
    const sessions = passed.find(({ what }) => what.startsWith('reading sessions of nobody'))
    expect(sessions?.count).toBeGreaterThanOrEqual(2)
    expect(passed).toContainEqual({
      what: 'ratings of nobody, of nothing, or that say nothing',
      reason: 'invalid',
      count: 1,
    })
    expect(ofType(records, 'rating').filter(({ rating }) => rating === null)).toHaveLength(1)
  })

  it('C25 dates by the latest of the log, however many digits its times have', async () => {
    const records = await read(
      `update read_progress set completed_at = null, completed = 0 where ${first('read_progress')}`,
      `insert into reading_sessions select randomblob(16), user_id, book_id, 'd', null, 1, 'progress', 3, null, null, null, 'unknown', null, '2025-06-01T09:00:00+00:00', '2025-06-01T11:00:00+02:00', '2025-06-01T10:00:00+00:00' from read_progress where ${first('read_progress')}`,
      `insert into reading_sessions select randomblob(16), user_id, book_id, 'd', null, 1, 'progress', 4, null, null, null, 'unknown', null, '2025-06-01T10:00:00.5+00:00', '2025-06-01T10:00:00.5+00:00', '2025-06-01T10:00:00+00:00' from read_progress where ${first('read_progress')}`,
    )
    expect(ofType(records, 'progress')[0]?.at).toBe('2025-06-01T10:00:00.500Z')
  })

  it('C25 tells a time of finishing that the log has not', async () => {
    const records = await read("delete from reading_sessions where kind = 'completed'")
    expect(ofType(records, 'completion')).toHaveLength(79)
    const older = await read('drop table reading_sessions', 'drop table want_to_read', 'drop table filter_presets')
    expect(ofType(older, 'completion')).toHaveLength(79)
    expect(ofType(older, 'progress')).toHaveLength(86)
  })

  it('C25 keeps secrets of plugins to itself', async () => {
    const records = await read(
      `insert into plugins (id, name, display_name, plugin_type, command, args, env, permissions, scopes, library_ids, credential_delivery, config, enabled, health_status, failure_count, created_at, updated_at, use_existing_external_id)
        values (randomblob(16), 'lister', 'Lister', 'system', 'x', '[]', '{"TOKEN":"s3cret"}', '[]', '[]', '[]', 'env', '{"language":"de","api_key":"s3cret","deep":{"password":"s3cret","size":3}}', 1, 'ok', 0, '', '', 0)`,
    )
    expect(ofType(records, 'pluginSettings')).toEqual([
      { type: 'pluginSettings', name: 'lister', settings: { language: 'de', deep: { size: 3 } } },
    ])
    expect(passedOverIn(records)).toContainEqual({ what: 'secrets in settings of plugins', reason: 'secret', count: 2 })
    expect(JSON.stringify(records)).not.toContain('s3cret')
  })

  it('C25 takes no picture from outside of the uploads', async () => {
    const store = changedStore(storePath('codex', 'codex.db'), [
      "update book_covers set path = '/srv/uploads/../../../../../../../../etc/passwd'",
      "update series_covers set path = '/elsewhere/a.jpg'",
    ])
    const records = await readAll(codex, sourceOf(store, storePath('codex', '.')))
    expect(ofType(records, 'cover')).toEqual([])
    expect(await codex.cover(sourceOf(store, storePath('codex', '.')), '../expected.json')).toBeUndefined()
    const folder = newFolder()
    mkdirSync(join(folder, 'uploads'))
    symlinkSync(store, join(folder, 'uploads/picture.jpg'))
    expect(await codex.cover(sourceOf(store, folder), 'picture.jpg')).toBeUndefined()
  })

  it('C25 says which presets and collections cannot be said here', async () => {
    const records = await read(
      `insert into filter_presets (id, user_id, name, scope, target, condition) select randomblob(16), user_id, 'Other', 'list', 'series', '{"libraryId":{"operator":"is","value":"1"}}' from filter_presets limit 1`,
      `insert into filter_presets (id, user_id, name, scope, target, condition) select randomblob(16), user_id, 'Odd', 'list', 'series', '{"moon":{"operator":"is","value":"full"}}' from filter_presets limit 1`,
      `update collections set condition = '{}' where ${first('collections')}`,
    )
    expect(ofType(records, 'preset')).toHaveLength(1)
    expect(ofType(records, 'collection')).toHaveLength(2)
    expect(passedOverIn(records)).toContainEqual({
      what: 'filter presets that cannot be said here',
      reason: 'unreadable',
      count: 2,
    })
    expect(passedOverIn(records)).toContainEqual({
      what: 'collections that fill themselves',
      reason: 'unreadable',
      count: 1,
    })
  })
})

describe('stump, odd', () => {
  const read = async (...statements: readonly string[]) => {
    const records = await readAll(stump, sourceOf(changedStore(storePath('stump', 'stump.db'), statements)))
    expectSound(records)
    return records
  }

  it('C25 says that it does not know the database of 0.1', async () => {
    await expect(read('create table seaql_migrations (version text, applied_at integer)')).rejects.toMatchObject({
      code: 'unknown_version',
      message: expect.stringContaining('0.1'),
    })
    await expect(read('drop table finished_reading_sessions')).rejects.toMatchObject({ code: 'unknown_version' })
  })

  it('C25 passes over pages and times that are none, and what points nowhere', async () => {
    const records = await read(
      'update reading_sessions set page = -1, percentage_completed = 7, epubcfi = null',
      "update finished_reading_sessions set completed_at = 'soon' where rowid = 1",
      'update finished_reading_sessions set completed_at = 9223372036854775807 where rowid = 2',
      "update finished_reading_sessions set media_id = 'gone' where rowid = 3",
      'update reviews set rating = -4',
      `update reviews set content = ${long} where rowid = 1`,
    )
    expect(ofType(records, 'progress')).toEqual([])
    const passed = passedOverIn(records)
    expect(passed).toContainEqual({
      what: 'progress of nobody, in nothing, or on no page',
      reason: 'invalid',
      count: 18,
    })
    expect(passed).toContainEqual({ what: 'books finished by nobody, or at no time', reason: 'invalid', count: 3 })
    expect(ofType(records, 'rating').every(({ rating }) => rating === null)).toBe(true)
  })
})

describe('calibre, odd', () => {
  const read = async (...statements: readonly string[]) => {
    const records = await readAll(
      calibre,
      sourceOf(changedStore(storePath('calibre', 'library/metadata.db'), statements)),
    )
    expectSound(records)
    return records
  }
  /** Calibre's own triggers call functions that only calibre has. */
  const withoutTriggers = ['drop trigger books_update_trg', 'drop trigger books_insert_trg']

  it('C25 makes nothing of folders that lead out of the library, and cleans comments', async () => {
    const records = await read(
      ...withoutTriggers,
      "update books set path = '../../etc' where id = 1",
      `update books set title = ${long}, pubdate = '0101-01-01 00:00:00+00:00' where id = 2`,
      `update comments set text = '<p>One<script>alert(1)</script></p><p>Two &amp; three</p>' where book = 1`,
      "update authors set name = 'Tar| Lowen' where id = 2",
    )
    const [first, second] = ofType(records, 'book')
    expect(first?.path).toBeNull()
    expect(first?.metadata['summary']?.value).not.toContain('<')
    expect(second?.title).toHaveLength(recordLimits.line)
    expect(second?.metadata['year']).toBeUndefined()
    expect(ofType(records, 'book')[3]?.metadata['authors']?.value).toEqual([{ name: 'Tar, Lowen', role: 'author' }])
  })

  it('C25 says that a column is worked out, and which column it misses', async () => {
    const records = await read(
      "insert into custom_columns (label, name, datatype, normalized) values ('both', 'Both', 'composite', 0)",
      "update custom_columns set label = 'gelesen' where label = 'read'",
    )
    const passed = passedOverIn(records)
    expect(passed).toContainEqual({
      what: 'columns that are worked out from others',
      reason: 'not_a_persons_word',
      count: 1,
    })
    expect(passed).toContainEqual({
      what: 'what was read: no column of yes and no has the name "read"',
      reason: 'not_in_store',
      count: null,
    })
  })
})
