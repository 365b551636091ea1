import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  getBook,
  getSeries,
  initialize,
  matchBook,
  matchSeries,
  ping,
  PluginError,
  searchBooks,
  searchSeries,
} from '@carrel/plugin-sdk'
import { startPlugin, type TestHost } from '@carrel/plugin-sdk/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const program = fileURLToPath(new URL('main.ts', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalogue-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const catalogue = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}
const withFile = (file: string): Promise<TestHost> => startPlugin(program, { adminConfig: { file } })

const csv = `\uFEFFid;Type;Title;Alternate titles;Authors;Year;Genres;Volumes;Summary;ISBN;external_ids\r
night;series;Night Train;"Nachtzug; Tren de noche";Ana Kovač | Ben Ito;1999;Crime|Noir;7;"She said ""go"";\r
and went.";;api:anilist=21\r
night2;series;Night Train;;Somebody Else;1962;;;;;\r
harbour;series;Cold Harbour;;Ana Kovač;2004;Crime;;;;\r
book1;book;Night Train, Volume 1;;Ana Kovač;1999;;;;978-0-306-40615-7;\r
`
const json = JSON.stringify(
  [
    { id: 'night', title: 'Night Train', authors: ['Ana Kovač'], year: 1999, summary: 'A "quoted" { [ text \\ ' },
    { title: 'Cold Harbour', status: 'ended', chapters: 47.5, readingDirection: 'rtl', rating: 82 },
  ],
  undefined,
  2,
)
const lines = '{"id":"a","title":"One"}\n\n{"id":"b","title":"Two","type":"book","isbn":["0306406152"]}'

describe('PLG-1 a catalogue file', () => {
  test('of CSV is searched, read and matched', async () => {
    await using plugin = await withFile(await catalogue('a.csv', csv))
    const { results } = await plugin.call(searchSeries, { query: 'the nihgt train' })
    expect(results.map(({ externalId }) => externalId)).toEqual(['night', 'night2'])
    expect(await plugin.call(searchSeries, { query: 'tren de noche' })).toMatchObject({
      results: [{ externalId: 'night', relevanceScore: 1, year: 1999, preview: { bookCount: 7 } }],
    })
    expect(await plugin.call(getSeries, { externalId: 'night' })).toMatchObject({
      title: 'Night Train',
      alternateTitles: [{ title: 'Nachtzug' }, { title: 'Tren de noche' }],
      authors: [{ name: 'Ana Kovač' }, { name: 'Ben Ito' }],
      genres: ['Crime', 'Noir'],
      totalVolumeCount: 7,
      summary: 'She said "go";\r\nand went.',
      externalIds: [{ source: 'api:anilist', externalId: '21' }],
    })
  })

  test('of JSON too, as a list or as lines', async () => {
    await using list = await withFile(await catalogue('a.json', json))
    expect(await list.call(getSeries, { externalId: 'night' })).toMatchObject({ summary: 'A "quoted" { [ text \\' })
    const { results } = await list.call(searchSeries, { query: 'cold harbour' })
    expect(await list.call(getSeries, { externalId: results[0]?.externalId ?? '' })).toMatchObject({
      status: 'ended',
      totalChapterCount: 47.5,
      readingDirection: 'rtl',
      rating: { score: 82 },
    })
    await using plain = await withFile(await catalogue('a.jsonl', lines))
    expect(await plain.call(getBook, { externalId: 'b' })).toMatchObject({ title: 'Two', isbn: '0306406152' })
  })

  test('says how sure it is: two of the same name are told apart by year or author, or not at all', async () => {
    await using plugin = await withFile(await catalogue('b.csv', csv))
    const match = (more: object) => plugin.call(matchSeries, { title: 'Night Train', ...more })
    const unsure = await match({})
    expect(unsure.confidence).toBeLessThan(0.8)
    expect(unsure.alternatives).toHaveLength(1)
    expect(await match({ year: 1962 })).toMatchObject({ match: { externalId: 'night2' }, confidence: 0.96 })
    expect(await match({ author: 'Kovač, Ana' })).toMatchObject({ match: { externalId: 'night' }, confidence: 0.96 })
    expect(await match({ title: 'Something else altogether' })).toMatchObject({ match: null, confidence: 0 })
  })

  test('knows books by their number', async () => {
    await using plugin = await withFile(await catalogue('c.csv', csv))
    expect(await plugin.call(matchBook, { title: 'anything', isbn: '9780306406157' })).toMatchObject({
      match: { externalId: 'book1' },
      confidence: 1,
    })
    expect((await plugin.call(searchBooks, { isbn: '978 0306406157' })).results).toHaveLength(1)
    expect((await plugin.call(searchBooks, { query: 'night train', isbn: '1' })).results).toMatchObject([
      { externalId: 'book1' },
    ])
    await expect(plugin.call(getSeries, { externalId: 'book1' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is read again when it has changed, and what is wrong with it then is said', async () => {
    const path = await catalogue('d.jsonl', lines)
    await using plugin = await withFile(path)
    const replace = async (content: string) => rename(await catalogue('next', content), path)
    await replace('{"id":"c","title":"Three"}')
    expect(await plugin.call(getSeries, { externalId: 'c' })).toMatchObject({ title: 'Three' })
    await replace('{"id":"c",')
    await expect(plugin.call(getSeries, { externalId: 'c' })).rejects.toMatchObject({
      code: 'config_error',
      message: expect.stringContaining('ends in the middle of row 1: a bracket is not closed') as string,
    })
    await replace(lines)
    expect(await plugin.call(getSeries, { externalId: 'a' })).toMatchObject({ title: 'One' })
  })
})

describe('a file that is broken is refused with a sentence that says where', () => {
  test.each([
    ['empty', 'x.csv', '', 'is empty'],
    ['without titles', 'x.csv', 'id;name\n1;A\n', 'has no column "title" in its first line: it has "id", "name"'],
    ['with an open quotation mark', 'x.csv', 'title\n"A\nB\n', 'a quotation mark is not closed'],
    ['with nothing in it', 'x.json', '[]', 'has no row with a title'],
    [
      'that is no JSON',
      'x.json',
      '<!doctype html>',
      'is neither a list of objects nor one object a line: "<" at byte 1',
    ],
    ['cut off', 'x.json', json.slice(0, 80), 'ends in the middle of row 1: a bracket is not closed'],
    ['with a row without end', 'x.json', `[{"title":"${'x'.repeat(400_000)}`, 'has a row 1 of more than 262144 bytes'],
    ['of bytes', 'x.json', Buffer.from([0, 1, 2, 255]), 'is neither a list'],
  ])('%s', async (_, name, content, sentence) => {
    const file = await catalogue(name, content)
    await expect(withFile(file)).rejects.toMatchObject({
      code: 'config_error',
      message: expect.stringContaining(`The catalogue ${file} `) as string,
    })
    await expect(withFile(file)).rejects.toThrow(sentence)
  })

  test('missing, a folder, not configured', async () => {
    await expect(withFile(join(folder, 'none.csv'))).rejects.toThrow(/none\.csv does not exist\.$/)
    await expect(withFile(folder)).rejects.toThrow(/is a folder\.$/)
    await expect(startPlugin(program)).rejects.toThrow('The configuration is not right: "Catalogue" (file) is missing.')
  })

  test('single rows that say nothing are passed over and told', async () => {
    await using plugin = await withFile(
      await catalogue('e.csv', 'id,title,year,type\n1,A,,\n2,,,\n3,C,soon,\n1,D,,\n5,E,,song\n6,F,2001,book\n'),
    )
    expect(await plugin.call(getBook, { externalId: '6' })).toMatchObject({ title: 'F', year: 2001 })
    await plugin.stop()
    expect(plugin.log()).toContain('row 2 was passed over: it has no title')
    expect(plugin.log()).toContain('row 3 was passed over: its year is not a number: "soon"')
    expect(plugin.log()).toContain('row 4 was passed over: another row has the id "1"')
    expect(plugin.log()).toContain('row 5 was passed over: its type is "song"')
    expect(plugin.log()).toContain('2 rows, 4 passed over')
  })
})

test('a hundred thousand rows are read without holding up ping', async () => {
  const words = ['night', 'train', 'cold', 'harbour', 'silver', 'garden', 'winter', 'letter', 'river', 'clock', 'paper']
  const word = (at: number): string => words[at % words.length] ?? ''
  const rows = Array.from(
    { length: 100_000 },
    (_, at) => `id${at},${word(at)} ${word(at * 7 + 3)} ${at},Author ${at % 900},${1950 + (at % 70)}`,
  )
  const file = await catalogue('large.csv', `id,title,authors,year\n${rows.join('\n')}\n`)
  await using plugin = await startPlugin(program, { initialize: 'no' })
  const order: string[] = []
  const read = plugin.call(initialize, { adminConfig: { file } }).then(() => order.push('read'))
  const pings = async () => {
    while (!order.includes('read')) order.push(await plugin.call(ping))
  }
  await Promise.all([read, pings()])
  expect(order.indexOf('read')).toBeGreaterThan(10)
  expect(
    await plugin.call(matchSeries, { title: rows[77_777]?.split(',')[1] ?? '', year: 1950 + (77_777 % 70) }),
  ).toMatchObject({ match: { externalId: 'id77777' }, confidence: expect.any(Number) as number })
  await expect(plugin.call(getSeries, { externalId: 'id100000' })).rejects.toBeInstanceOf(PluginError)
})
