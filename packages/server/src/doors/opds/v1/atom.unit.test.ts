import { type BookDto, permissions } from '@carrel/api'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { named, parseStrictly, textOf } from '../../../../test/opds.ts'
import { writeAtom, writeEntry, writeSearchDescription } from './atom.ts'
import { offeredFile } from '../book-files.ts'
import { type Feed, idOf, type Publication } from '../feed.ts'
import { stretchesOf, within } from '../feeds/letters.ts'
import { toOpds2 } from '../v2/opds2.ts'
import { textsIn } from '../../../texts/texts.ts'
import { cleanText } from '../xml.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom('', '&<>"\'', ']]>', '<!--', '\u0000\u0008', '\ud800', '\uffff', 'שלום 👩‍👩‍👧 \u202e', '\r\n\t', '{{x}}'),
)

const texts = await textsIn('en')
const context = { origin: 'http://127.0.0.1:8080', basePath: '', permissions: new Set(permissions), texts }
const at = '2026-11-21T10:00:00.000Z'

const bookOf = (title: string, seriesName: string): BookDto => ({
  id: '019aa3b2-6c7e-7000-8000-000000000040',
  libraryId: '019aa3b2-6c7e-7000-8000-000000000020',
  libraryName: title,
  seriesId: '019aa3b2-6c7e-7000-8000-000000000030',
  seriesName,
  title,
  titleSort: title,
  number: 1,
  volume: null,
  chapter: null,
  oneShot: false,
  authors: [],
  fileFormat: 'cbz',
  fileSize: 0,
  fileHash: null,
  koreaderHash: null,
  pageCount: 3,
  analyzed: true,
  analysisError: title,
  deleted: false,
  readingDirection: 'ltr',
  summary: title,
  readProgress: null,
  wantToRead: false,
  coverVersion: '1',
  placeholder: null,
  tone: null,
  createdAt: at,
  updatedAt: at,
})

const publications = fc.tuple(hostile, hostile, hostile).map(([title, name, other]): Publication => ({
  book: bookOf(title, name),
  title: cleanText(title) || 'Untitled',
  people: [{ name: other, role: name, sortAs: title }],
  subtitle: title,
  summary: other,
  publisher: name,
  language: 'de',
  issued: '2019-03',
  subjects: [{ name: title, kind: 'tag' }],
  isbns: [],
  file: offeredFile('cbz', other),
  isComic: true,
  hasPages: true,
  hasParts: false,
  otherFiles: [],
}))

const feedOf = (title: string, content: Feed['content']): Feed => ({
  id: idOf(title),
  title,
  updated: at,
  self: { path: '/books', query: { genre: title.toWellFormed(), page: 1e30 } },
  up: { path: '' },
  content,
  facets: [{ title: 'Sort by', choices: [{ title, target: { path: '/books' }, isActive: true }] }],
  paging: { page: 2, pageSize: 1, total: 3 },
})

test('OPD-1 whatever books and people are called, a feed is XML, says so, and names everything', () => {
  fc.assert(
    fc.property(hostile, publications, (title, publication) => {
      const entries = [
        {
          id: idOf(title),
          title,
          updated: at,
          target: { path: '/series', query: { tag: title.toWellFormed() } },
          leadsTo: 'navigation' as const,
          text: title,
        },
      ]
      const contents: Feed['content'][] = [
        { kind: 'acquisition', publications: [publication] },
        { kind: 'navigation', entries },
      ]
      for (const content of contents) {
        const feed = feedOf(title, content)
        const root = parseStrictly(writeAtom(feed, context))
        const [entry] = named(root, 'entry')
        const expected = content.kind === 'navigation' ? cleanText(title) || 'Untitled' : publication.title
        // A reader of XML makes one line feed of what ends lines elsewhere, unless it is written out.
        expect(entry && textOf(entry, 'title')).toBe(expected)
        for (const each of [root, ...root.children]) {
          expect(
            each.children.filter(
              ({ text, children, name }) =>
                !['link', 'category', 'schema:Series'].includes(name) && text.trim() === '' && children.length === 0,
            ),
          ).toEqual([])
        }
        JSON.parse(JSON.stringify(toOpds2(feed, context)))
      }
      expect(parseStrictly(writeEntry(publication, context)).name).toBe('entry')
    }),
    { numRuns: 200 },
  )
})

test('OPD-1 a description of the search is short, and its template literal', () => {
  const description = parseStrictly(writeSearchDescription({ ...context, origin: 'http://a"b<c', basePath: '/x' }))
  expect(textOf(description, 'ShortName')?.length).toBeLessThanOrEqual(16)
  expect(named(description, 'Url')[0]?.attributes['template']).toBe('http://a"b<c/x/opds/v1/search?q={searchTerms}')
})

test('OPD-1 a file is called what it is, and never leads out of a folder', () => {
  fc.assert(
    fc.property(hostile, (name) => {
      const { name: offered } = offeredFile('cbz', name)
      expect(offered).toMatch(/\.cbz$/)
      expect(offered.length).toBeGreaterThan('.cbz'.length)
      expect(/[\p{Cc}/\\]/u.test(offered)).toBe(false)
      expect(encodeURIComponent(offered)).not.toBe('')
    }),
  )
  expect([offeredFile('cbz', 'x.CBR').name, offeredFile('folder', 'v1.5').name]).toEqual(['x.cbz', 'v1.5.cbz'])
  expect(offeredFile('fb2', 'x.fb2.zip')).toMatchObject({ name: 'x.fb2.zip', mediaType: 'application/fb2+zip' })
  expect(offeredFile('fb2', 'x.fb2')).toMatchObject({ name: 'x.fb2', mediaType: 'application/x-fictionbook+xml' })
})

test('OPD-1 the letters, page by page, are the whole list, each once', () => {
  const runs = fc.array(fc.tuple(fc.constantFrom('#', 'A', 'B', 'C', 'あ'), fc.integer({ min: 1, max: 9 })), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(runs, fc.integer({ min: 1, max: 5 }), (made, pageSize) => {
      // Letters stand together in the list; what is none stands wherever it likes.
      const seenIds = new Set<string>()
      const list = made.flatMap(([letter, count]): string[] => {
        if (letter !== '#' && seenIds.has(letter)) return []
        seenIds.add(letter)
        return Array.from({ length: count }, () => letter)
      })
      const letters = [...seenIds]
        .filter((letter) => list.includes(letter))
        .map((letter) => ({
          letter,
          count: list.filter((each) => each === letter).length,
          page: list.indexOf(letter) + 1,
        }))
      const seen = letters.flatMap(({ letter, count }) =>
        Array.from({ length: Math.ceil(count / pageSize) }, (_, page) =>
          within(stretchesOf(letters, letter), { offset: page * pageSize, limit: pageSize }).flatMap(
            ({ offset, limit }) =>
              Array.from({ length: limit }, (_, index) => {
                expect(list[offset + index]).toBe(letter)
                return offset + index
              }),
          ),
        ).flat(),
      )
      expect(seen.sort((one, other) => one - other)).toEqual(list.map((_, index) => index))
    }),
  )
})
