import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
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
import { mihon } from './mihon.ts'

interface ExpectedChapter {
  readonly url: string
  readonly name: string
  readonly number: number
  readonly read: boolean
  readonly bookmarked: boolean
  readonly lastPageRead: number
  readonly page: number | null
  readonly lastReadAt: string | null
  readonly readSeconds: number | null
  readonly modified: number | null
}
interface Expected {
  readonly file: string
  readonly categories: readonly { name: string; order: number; id: number }[]
  readonly manga: readonly {
    title: string
    url: string
    favourite: boolean
    categories: string[]
    notes: string
    chapters: readonly ExpectedChapter[]
    tracking: readonly { tracker: string; mediaId: number; score: number }[]
  }[]
}

const expected = expectedOf('mihon') as Expected
const path = storePath('mihon', expected.file)
const read = () => readAll(mihon, sourceOf(path))

/** A backup of these bytes, packed or not. */
const backupOf = (bytes: Uint8Array, isPacked = true): string => {
  const file = join(newFolder(), 'backup.tachibk')
  writeFileSync(file, isPacked ? gzipSync(bytes) : bytes)
  return file
}

/** Protobuf written by hand, so that nothing of the reader takes part in it. */
const varint = (value: bigint): Buffer => {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return Buffer.from([...bytes, Number(rest)])
}
const tag = (field: number, type: number): Buffer => varint(BigInt(field * 8 + type))
const number = (field: number, value: bigint): Buffer => Buffer.concat([tag(field, 0), varint(value)])
const bytes = (field: number, value: string | Buffer): Buffer => {
  const content = Buffer.from(value)
  return Buffer.concat([tag(field, 2), varint(BigInt(content.length)), content])
}
const float = (field: number, value: number): Buffer => {
  const content = Buffer.alloc(4)
  content.writeFloatLE(value)
  return Buffer.concat([tag(field, 5), content])
}
const message = (field: number, ...fields: readonly Buffer[]): Buffer => bytes(field, Buffer.concat(fields))

describe('the backup', () => {
  it('C25 brings each series once per source, with its chapters as books', async () => {
    const records = await read()
    expect(records[0]).toEqual({ type: 'source', kind: 'mihon', version: null, schema: null })
    expect(ofType(records, 'user')).toMatchObject([{ name: null }])
    const series = ofType(records, 'series')
    expect(series.map(({ title }) => title)).toEqual(expected.manga.map(({ title }) => title))
    // A 64-bit number that JSON would round.
    expect(series[1]?.id).toBe(`-6823468023469123491 ${expected.manga[1]?.url}`)
    expect(
      ofType(records, 'book').map(({ seriesTitle, title, number: written }) => [seriesTitle, title, Number(written)]),
    ).toEqual(expected.manga.flatMap(({ title, chapters }) => chapters.map((each) => [title, each.name, each.number])))
    expect(ofType(records, 'book').map(({ number: written }) => written)).toContain('10.5')
  })

  it('C25 brings what was read, to which page, and when', async () => {
    const chapters = expected.manga.flatMap(({ chapters: all }) => all)
    const urls = new Map(ofType(await read(), 'book').map(({ id }, index) => [id, chapters[index]?.url]))
    const progress = ofType(await read(), 'progress').map(({ book, isCompleted, position, at }) => ({
      url: urls.get(book),
      read: isCompleted,
      page: position.page,
      at,
    }))
    expect(sorted(progress)).toEqual(
      sorted(
        chapters
          .filter(({ read: isRead, page, lastReadAt }) => isRead || page !== null || lastReadAt !== null)
          .map(({ url, read: isRead, page, lastReadAt, modified }) => ({
            url,
            read: isRead,
            page,
            at: lastReadAt ?? (modified === null ? null : new Date(modified * 1000).toISOString()),
          })),
      ),
    )
    const timed = ofType(await read(), 'session').map(({ book, at, activeMs }) => ({
      url: urls.get(book),
      at,
      seconds: Math.floor((activeMs ?? 0) / 1000),
    }))
    expect(sorted(timed)).toEqual(
      sorted(
        chapters
          .filter(({ readSeconds }) => readSeconds !== null)
          .map(({ url, lastReadAt, readSeconds }) => ({ url, at: lastReadAt, seconds: readSeconds })),
      ),
    )
  })

  it('C25 finds the categories of a series by their order and not by their ids', async () => {
    const records = await read()
    const titles = new Map(ofType(records, 'series').map(({ id, title }) => [id, title]))
    const readCategories = ofType(records, 'category').map(({ name, members }) => ({
      name,
      titles: members.map((each) => titles.get('series' in each ? each.series : '')),
    }))
    expect(readCategories).toEqual(
      expected.categories.map(({ name }) => ({
        name,
        titles: expected.manga.filter(({ categories }) => categories.includes(name)).map(({ title }) => title),
      })),
    )
  })

  it('C25 brings trackers, scores by their own scales, notes and bookmarks', async () => {
    const records = await read()
    const sources: Readonly<Record<string, string>> = { AniList: 'anilist', MyAnimeList: 'myanimelist' }
    expect(ofType(records, 'series').map(({ metadata }) => metadata['externalIds']?.value)).toEqual(
      expected.manga.map(({ tracking: [first] }) =>
        first === undefined
          ? undefined
          : [
              {
                source: sources[first.tracker],
                id: String(first.mediaId),
                url: `https://list.example/manga/${first.mediaId}`,
              },
            ],
      ),
    )
    const titles = new Map(ofType(records, 'series').map(({ id, title }) => [id, title]))
    const ratings = ofType(records, 'rating').map(({ of, rating, review }) => ({
      title: titles.get('series' in of ? of.series : ''),
      rating,
      review,
    }))
    expect(ratings).toEqual(
      expected.manga
        .filter(({ tracking, notes }) => tracking.length > 0 || notes !== '')
        .map(({ title, tracking: [first], notes }) => ({
          title,
          rating: first === undefined ? null : first.tracker === 'AniList' ? first.score : first.score * 10,
          review: notes === '' ? null : notes,
        })),
    )
    expect(ofType(records, 'bookmark')).toHaveLength(
      expected.manga.flatMap(({ chapters }) => chapters).filter(({ bookmarked }) => bookmarked).length,
    )
  })

  it('C25 says what it passes over', async () => {
    const passed = passedOverIn(await read())
    const favourites = expected.manga.filter(({ favourite }) => favourite).length
    expect(passed).toContainEqual({
      what: 'marks of being in the library of the app',
      reason: 'no_such_thing',
      count: favourites,
    })
  })
})

describe('odd backups', () => {
  const chapter = (...fields: readonly Buffer[]): Buffer => message(16, bytes(1, '/1'), bytes(2, 'One'), ...fields)
  const manga = (...fields: readonly Buffer[]): Buffer =>
    message(1, number(1, 7n), bytes(2, '/m'), bytes(3, 'Title'), ...fields)

  it('C25 reads one that was never packed, and skips fields that a fork has added', async () => {
    const plain = gunzipSync(readFileSync(path))
    const added = Buffer.concat([
      number(500, 2n ** 63n),
      message(600, bytes(1, 'x')),
      plain,
      float(999, 1.5),
      Buffer.concat([tag(700, 1), Buffer.alloc(8)]),
    ])
    expect(await readAll(mihon, sourceOf(backupOf(added, false)))).toEqual(await read())
  })

  it('C25 takes a number of 32 bits for what was written, and −1 for none', async () => {
    const store = backupOf(
      Buffer.concat([
        manga(
          chapter(float(9, 7.1)),
          message(16, bytes(1, '/2'), float(9, -1)),
          message(16, bytes(1, '/3'), float(9, Number.NaN)),
          message(16, bytes(1, '/4'), bytes(2, 'Vol.3'), float(9, 3)),
          message(16, bytes(1, '/5'), float(9, 1e30)),
        ),
      ]),
    )
    expect(
      ofType(await readAll(mihon, sourceOf(store)), 'book').map(({ number: written, volume }) => [written, volume]),
    ).toEqual([
      ['7.1', null],
      [null, null],
      [null, null],
      ['3', '3'],
      [null, null],
    ])
  })

  it('C25 bounds pages, times and texts that make no sense', async () => {
    const store = backupOf(
      Buffer.concat([
        manga(
          bytes(110, 'n'.repeat(200_000)),
          chapter(number(6, 2n ** 63n - 1n), number(11, 2n ** 62n)),
          message(16, bytes(1, '/2'), number(6, -5n), number(4, 1n)),
          message(104, bytes(1, '/2'), number(2, -1n), number(3, -1n)),
        ),
        message(1, number(1, 8n), bytes(3, 'T'.repeat(200_000)), chapter(), chapter()),
        message(1, number(1, 9n)),
      ]),
    )
    const records = await readAll(mihon, sourceOf(store))
    expect(
      ofType(records, 'progress').map(({ position, at, isCompleted }) => [position.page, at, isCompleted]),
    ).toEqual([[null, null, true]])
    expect(ofType(records, 'session')).toEqual([])
    expect(ofType(records, 'rating')[0]?.review).toHaveLength(100_000)
    expect(ofType(records, 'series').map(({ title }) => title.length)).toEqual([5, 4000])
    const passed = passedOverIn(records)
    expect(passed).toContainEqual({
      what: 'series without a title, or with an endless address',
      reason: 'invalid',
      count: 1,
    })
    expect(passed).toContainEqual({
      what: 'chapters that are there twice, or with an endless address',
      reason: 'invalid',
      count: 1,
    })
  })

  it.each([
    ['cut in the middle', () => readFileSync(path).subarray(0, 1500), 'damaged'],
    ['of nothing', () => Buffer.alloc(0), 'wrong_kind'],
    ['of text', () => Buffer.from('{"manga": []}'), 'damaged'],
    ['of a picture', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'damaged'],
    ['with a length beyond its end', () => Buffer.concat([tag(1, 2), varint(2n ** 40n)]), 'damaged'],
    ['with a series larger than any', () => message(1, Buffer.alloc(33 * 1024 * 1024)), 'too_large'],
    ['with an endless number', () => Buffer.alloc(64, 0xff), 'damaged'],
    ['of unknown fields alone', () => message(600, bytes(1, 'x')), 'wrong_kind'],
    ['of a message that is none', () => message(1, Buffer.from([0x0b])), 'damaged'],
  ])('C25 refuses one %s', async (_, content, code) => {
    const file = join(newFolder(), 'backup.tachibk')
    writeFileSync(file, content())
    await expect(readAll(mihon, sourceOf(file))).rejects.toMatchObject({ name: 'SourceFault', code })
  })

  it('C25 stops unpacking what would be larger than a backup can be', async () => {
    // Members of gzip, one behind the other, are one stream: two fields of 300 MiB of zeros.
    const head = gzipSync(Buffer.concat([tag(600, 2), varint(300n * 1024n * 1024n)]))
    const zeros = gzipSync(Buffer.alloc(15 * 1024 * 1024))
    const field = [head, ...Array.from({ length: 20 }, () => zeros)]
    const file = join(newFolder(), 'backup.tachibk')
    writeFileSync(file, Buffer.concat([...field, ...field]))
    await expect(readAll(mihon, sourceOf(file))).rejects.toMatchObject({ name: 'SourceFault', code: 'too_large' })
  })

  it('C25 reads a hundred thousand chapters', async () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      message(
        1,
        number(1, 7n),
        bytes(2, `/${index}`),
        bytes(3, `Series ${index}`),
        ...Array.from({ length: 1000 }, (__, chapterIndex) =>
          message(
            16,
            bytes(1, `/${index}/${chapterIndex}`),
            bytes(2, `Chapter ${chapterIndex}`),
            number(4, 1n),
            float(9, chapterIndex),
          ),
        ),
      ),
    )
    let progress = 0
    let longest = 0
    for await (const batch of mihon.read(sourceOf(backupOf(Buffer.concat(many))))) {
      longest = Math.max(longest, batch.length)
      progress += batch.filter(({ type }) => type === 'progress').length
    }
    expect(progress).toBe(100_000)
    expect(longest).toBeLessThanOrEqual(500)
  })
})
