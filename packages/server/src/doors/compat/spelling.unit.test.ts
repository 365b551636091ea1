import { assert, constantFrom, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { readPageQuery, pageEnvelope } from './page.ts'
import { profileOf, profiles } from './profiles.ts'
import { inId, spellingOf, timestamp } from './spelling.ts'

type Asking = Parameters<typeof spellingOf>[0]
const asking = (headers: Record<string, string>): Asking => ({ headers, caller: undefined }) as unknown as Asking
const settings = (spelling: string) => ({ get: () => spelling }) as unknown as Parameters<typeof spellingOf>[1]

test('W13 COM-2 each application is known by how it asks', () => {
  const examples = [
    [{ 'user-agent': 'TachiyomiKomga/0.19.1' }, 'mihon'],
    [{ 'user-agent': 'Mihon v0.19.1' }, 'mihon'],
    [{ 'user-agent': 'Aidoku/1 CFNetwork/1568.100.1 Darwin/24.0.0' }, 'aidoku'],
    [{ 'user-agent': 'Paperback/0.8.6' }, 'paperback'],
    [{ 'user-agent': 'Komelia/0.16' }, 'komelia'],
    [{ 'user-agent': 'KMReader/4.1 (iPad)' }, 'kmreader'],
    [{ 'user-agent': 'CFNetwork/1', 'x-auth-token': '' }, 'kmreader'],
    [{ 'user-agent': 'Liseur/0.9' }, 'liseur'],
    [{ 'user-agent': 'LuaSocket 3.0' }, 'koreader'],
    [{ 'user-agent': 'Mozilla/5.0', 'x-requested-with': 'XMLHttpRequest' }, 'komga-web'],
    [{ 'user-agent': 'Mozilla/5.0' }, undefined],
    [{}, undefined],
  ] as const
  expect(examples.map(([headers]) => profileOf(asking(headers))?.name)).toEqual(examples.map(([, name]) => name))
  expect(new Set(examples.map(([, name]) => name).filter(Boolean)).size).toBe(
    new Set(profiles.map(({ name }) => name)).size - 1,
  )
})

test('COM-2 W13 ids and the roles of people are spelled by the specification, or as an application needs them', () => {
  const id = newId()
  const people = [
    { name: 'A', role: 'author' },
    { name: 'A', role: 'writer' },
    { name: 'B', role: 'artist' },
    { name: 'C', role: 'cover_artist' },
    { name: 'D', role: 'translator' },
    { name: 'E', role: null },
  ]
  const law = spellingOf(asking({}), settings('auto'))
  expect([law.outId(id), law.authors(people)]).toEqual([
    id,
    [
      { name: 'A', role: 'WRITER' },
      { name: 'B', role: 'PENCILLER' },
      { name: 'C', role: 'COVER' },
      { name: 'E', role: 'WRITER' },
    ],
  ])
  const komga = spellingOf(asking({ 'user-agent': 'Mihon' }), settings('auto'))
  expect(komga.outId(id)).toBe(id.replaceAll('-', ''))
  expect(komga.authors(people).map(({ role }) => role)).toEqual([
    'writer',
    'penciller',
    'cover',
    'translator',
    'writer',
  ])
  expect(spellingOf(asking({ 'user-agent': 'Mihon' }), settings('law')).name).toBe('law')
  expect(spellingOf(asking({}), settings('komga')).name).toBe('komga')
  expect([inId(id), inId(komga.outId(id)), inId(id.toUpperCase()), inId('0CB4ZJ1YXTN1F'), inId('')]).toEqual([
    id,
    id,
    id,
    undefined,
    undefined,
  ])
  expect(timestamp('2026-11-21T10:00:00.123Z')).toBe('2026-11-21T10:00:00Z')
})

test('COM-1 a page says where it is as Spring does, whatever was asked for', () => {
  expect(readPageQuery({ page: '2', size: '0' })).toEqual({ page: 2, size: 20, unpaged: false })
  expect(readPageQuery({ page: '-1', size: '99999', unpaged: 'TRUE' })).toEqual({ page: 0, size: 2000, unpaged: true })
  expect(readPageQuery({ page: ['x', '1'], size: 'many' })).toEqual({ page: 0, size: 20, unpaged: false })
  expect(pageEnvelope([], 0, readPageQuery({ unpaged: 'true' }))).toMatchObject({
    totalPages: 0,
    first: true,
    last: true,
    empty: true,
    number: 0,
    size: 20,
    pageable: { paged: true, unpaged: false },
  })
  expect(pageEnvelope([], 5, readPageQuery({ page: '9' }))).toMatchObject({
    number: 9,
    first: false,
    last: true,
    totalPages: 1,
  })

  const any = record({
    total: integer({ min: 0, max: 5000 }),
    page: integer({ min: 0, max: 300 }),
    size: integer({ min: 1, max: 50 }),
    unpaged: constantFrom('true', 'false'),
  })
  assert(
    property(any, ({ total, page, size, unpaged }) => {
      const query = readPageQuery({ page: String(page), size: String(size), unpaged })
      const count = query.unpaged ? total : Math.max(0, Math.min(size, total - page * size))
      const envelope = pageEnvelope(
        Array.from({ length: count }, () => 0),
        total,
        query,
        true,
      )
      const { number, totalPages, last, first, pageable } = envelope
      expect([last, first, envelope.empty]).toEqual([number >= totalPages - 1, number === 0, count === 0])
      expect([pageable.offset, pageable.pageNumber]).toEqual([number * envelope.size, number])
      expect(totalPages).toBe(Math.ceil(total / envelope.size))
    }),
  )
})
