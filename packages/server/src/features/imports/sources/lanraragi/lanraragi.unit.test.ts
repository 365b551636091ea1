import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  expectedOf,
  newFolder,
  ofType,
  passedOverIn,
  readAll,
  sorted,
  sourceOf,
  storePath,
} from '../../../../../test/stores/read.ts'
import { lanraragi } from './lanraragi.ts'

interface Expected {
  readonly archives: readonly {
    arcid: string
    book: string
    title: string
    filename: string
    tags: string[]
    rating: number | null
  }[]
  readonly categories: readonly { name: string; kind: string; books?: string[]; unknownArchives?: number }[]
  readonly tankoubons: readonly { name: string; books: string[] }[]
  readonly stamps: readonly { id: string; book: string; content: string }[]
}

const expected = expectedOf('lanraragi') as Expected
const path = storePath('lanraragi', 'backup.json')
const read = () => readAll(lanraragi, sourceOf(path))
const keys = new Map(expected.archives.map(({ arcid, book }) => [arcid, book]))

const backupOf = (content: string | Buffer): string => {
  const file = join(newFolder(), 'backup.json')
  writeFileSync(file, content)
  return file
}

describe('backup.json', () => {
  it('C25 knows each archive by the digest of its beginning, and its number by its name', async () => {
    const books = ofType(await read(), 'book')
    expect(books.map(({ id, hashes, title }) => ({ id, hashes, title }))).toEqual(
      expected.archives.map(({ arcid, title }) => ({
        id: arcid,
        hashes: [{ kind: 'sha1-512000', value: arcid }],
        title,
      })),
    )
    // What is alone in its series has no number in its name.
    const numbered = books.flatMap(({ id, number }) =>
      keys.get(id) === 'ferry/1' ? [] : [[keys.get(id), Number(number)]],
    )
    expect(numbered).toEqual(
      expected.archives.flatMap(({ book }) => (book === 'ferry/1' ? [] : [[book, Number(book.split('/')[1])]])),
    )
  })

  it('C25 puts archives into the series of a collection, or else of their tags', async () => {
    const records = await read()
    const titles = new Map(ofType(records, 'series').map(({ id, title }) => [id, title]))
    const inTanks = new Map(
      expected.tankoubons.flatMap(({ name, books }) => books.map((book) => [book, name] as const)),
    )
    const pairs = ofType(records, 'book').map(({ id, series }) => [keys.get(id), titles.get(series ?? '') ?? null])
    expect(pairs).toEqual(
      expected.archives.map(({ book, tags }) => [
        book,
        inTanks.get(book) ?? tags.find((each) => each.startsWith('series:'))?.slice('series:'.length) ?? null,
      ]),
    )
    expect(new Set(titles.keys()).size).toBe(ofType(records, 'series').length)
  })

  it('C25 reads every tag: stars are a rating, the rest stays', async () => {
    const records = await read()
    const books = new Map(ofType(records, 'book').map((each) => [each.id, each]))
    const ofKind = (tags: readonly string[], kind: string): readonly string[] =>
      tags.filter((each) => each.startsWith(`${kind}:`)).map((each) => each.slice(kind.length + 1))
    for (const { arcid, tags } of expected.archives) {
      const metadata = books.get(arcid)?.metadata ?? {}
      const value = (field: string): unknown => metadata[field]?.value
      expect(value('genres') ?? []).toEqual(ofKind(tags, 'genre'))
      expect(value('languageIso') ?? null).toEqual(ofKind(tags, 'language')[0] ?? null)
      expect(((value('authors') as { name: string }[] | undefined) ?? []).map(({ name }) => name)).toEqual(
        ofKind(tags, 'artist'),
      )
      expect(((value('externalLinks') as { url: string }[] | undefined) ?? []).map(({ url }) => url)).toEqual(
        ofKind(tags, 'source').map((address) => `https://${address}`),
      )
      expect(value('tags') ?? []).toEqual(
        tags.filter((each) => !/^(?:series|genre|language|artist|source|date_added|rating):/.test(each)),
      )
    }
    expect(
      sorted(ofType(records, 'rating').map(({ of, rating }) => [keys.get('book' in of ? of.book : ''), rating])),
    ).toEqual(sorted(expected.archives.flatMap(({ book, rating }) => (rating === null ? [] : [[book, rating * 20]]))))
  })

  it('C25 brings categories but for those that are searches, and stamps as bookmarks', async () => {
    const records = await read()
    expect(
      ofType(records, 'category').map(({ name, members }) => ({
        name,
        books: members.map((each) => keys.get('book' in each ? each.book : '')),
      })),
    ).toEqual(expected.categories.filter(({ kind }) => kind === 'fixed').map(({ name, books }) => ({ name, books })))
    expect(ofType(records, 'bookmark').map(({ book, note }) => ({ book: keys.get(book), content: note }))).toEqual(
      expected.stamps.map(({ book, content }) => ({ book, content })),
    )
    const passed = passedOverIn(records)
    expect(passed).toContainEqual({ what: 'categories that are searches', reason: 'unreadable', count: 1 })
    expect(passed).toContainEqual({ what: 'archives of categories that are not there', reason: 'invalid', count: 1 })
  })

  it('C25 says that no backup holds progress', async () => {
    expect(passedOverIn(await read())).toContainEqual({
      what: 'reading progress, which is in no backup: give the address of the server and its key instead',
      reason: 'not_in_store',
      count: null,
    })
  })
})

describe('odd backups', () => {
  const id = 'a'.repeat(40)

  it('C25 reads lists in any order, with spaces, escapes and values it does not know', async () => {
    const store = backupOf(
      `\n{ "version": {"a": [1, "]"]}, "stamps" : [ ], "tank\\u006fubons": [{"tankid":"T","name":"A \\"quoted\\" name, [1]","archives":["${id}"]}],
        "more": [[{}]], "archives" :[ {"arcid":"${id.toUpperCase()}","title":null,"tags":"rating:⭐, a:b:c , :x","filename":"Ü \\\\ 07"} , 5, null ] , "n": 1e5 }\n`,
    )
    const records = await readAll(lanraragi, sourceOf(store))
    expect(ofType(records, 'series')).toMatchObject([{ id: 'T', title: 'A "quoted" name, [1]' }])
    expect(ofType(records, 'book')).toMatchObject([{ id, series: 'T', title: null, number: '07' }])
    expect(ofType(records, 'book')[0]?.metadata['tags']?.value).toEqual(['a:b:c', ':x'])
    expect(passedOverIn(records)).toContainEqual({ what: 'entries that are none', reason: 'invalid', count: 2 })
  })

  it('C25 splits where a chunk ends in the middle of anything', async () => {
    const archives = Array.from({ length: 20_000 }, (_, index) => ({
      arcid: index.toString(16).padStart(40, '0'),
      title: `Höhle & Söhne "${index}" 日本 \\`,
      tags: '',
      filename: `Höhle ${index}`,
    }))
    const records = await readAll(lanraragi, sourceOf(backupOf(JSON.stringify({ categories: [], archives }))))
    expect(ofType(records, 'book').map(({ title }) => title)).toEqual(archives.map(({ title }) => title))
  })

  it.each([
    ['cut in the middle', () => readFileSync(path).subarray(0, 9000), 'damaged'],
    ['of nothing', () => '', 'damaged'],
    ['that is a list', () => '[{"archives": []}]', 'wrong_kind'],
    ['that is no JSON', () => 'SQLite format 3', 'wrong_kind'],
    ['with an entry that is no JSON', () => '{"archives": [{"arcid": nope}]}', 'damaged'],
    ['that nests without an end', () => `{"archives": [${'['.repeat(100_000)}`, 'damaged'],
    ['with an endless entry', () => `{"archives": ["${'x'.repeat(5 * 1024 * 1024)}"]}`, 'too_large'],
    ['with something behind its end', () => '{"archives": []}{"archives": []}', 'wrong_kind'],
  ])('C25 refuses one %s', async (_, content, code) => {
    await expect(readAll(lanraragi, sourceOf(backupOf(content())))).rejects.toMatchObject({ name: 'SourceFault', code })
  })
})
