import type { CompatBook, CompatPage, CompatSeries } from '@carrel/api/doors'
import * as api from '@carrel/api'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries } from '../../../../test/content.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { type CompatClient, compatClient } from '../../../../test/doors/compat-client.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'
import { upsertTerms, type TermsOf } from '../../../catalogue/terms/terms.ts'
import { fold, plainText } from '../../../platform/text/sort-key.ts'

let server: TestServer
let client: CompatClient
let allSeries: readonly CompatSeries[]
let allBooks: readonly CompatBook[]

const tags = ['Action', 'Café', 'school life']
const people = ['Ann', 'Bob']
const roles = ['author', 'artist', 'translator', 'cover_artist'] as const
const statuses = ['ongoing', 'ended', 'hiatus', 'abandoned', null] as const
const days = [null, '2001', '2001-06', '2002-02-03', '2010-10-10'] as const
const titles = ['Alpha', 'alphabet', 'Éclair', '100% Beta', 'be_ta', 'Gamma (2)'] as const

/** The one after another, so that every value meets many others. */
const pick = <Item>(items: readonly Item[], number: number): Item => {
  const item = items[number % items.length]
  if (item === undefined) throw new Error('Nothing to pick from')
  return item
}

beforeAll(async () => {
  server = await startServer({ env: doorsOpen })
  const { db } = server.context
  const libraries = [await addLibrary(db), await addLibrary(db, { name: 'Comics', path: '/data/comics' })]
  const now = new Date('2026-11-01T10:00:00.000Z')
  const person = await server.person('reader')
  const terms: { series: TermsOf[]; books: TermsOf[] } = { series: [], books: [] }
  const opened: { id: string; body: { currentPage: number; completed: boolean } }[] = []
  for (let number = 0; number < 12; number += 1) {
    const fields = {
      status: pick(statuses, number),
      publisher: pick(['Even', 'ODD & Co', null], number),
      language: pick(['ja', 'en', null], number + 1),
      ageRating: pick([null, 6, 12], number),
      totalVolumeCount: pick([null, 1, 2, 3], number),
      genres: number % 3 === 0 ? [] : [pick(tags, number)],
      tags: number % 4 === 0 ? [pick(tags, number + 1)] : [],
      authors: number % 2 === 0 ? [{ name: pick(people, number / 2), role: pick(roles, number) }] : [],
    }
    const shown = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
    const [series] = await addManySeries(db, pick(libraries, number), [
      {
        key: `series ${number}`,
        title: pick(titles, number),
        title_sort: number % 5 === 0 ? 'Zz sorted' : null,
        status: fields.status,
        publisher: fields.publisher,
        language: fields.language,
        own_age_rating: fields.ageRating,
        age_rating: fields.ageRating,
        total_volume_count: fields.totalVolumeCount,
        metadata: JSON.stringify(shown),
      },
    ])
    if (!series) throw new Error('No series was added')
    const bookSaid = Array.from({ length: 1 + (number % 3) }, (_, index) => ({
      tags: index === 0 && number % 2 === 0 ? [pick(tags, number)] : [],
      authors: index === 1 ? [{ name: pick(people, number), role: pick(roles, number + index) }] : [],
    }))
    const bookIds = await addBooks(
      db,
      series,
      bookSaid.map((each, index) => ({
        number: index === 2 ? 2.5 : index + 1,
        fileName: `${number} ${index}.cbz`,
        title: pick(titles, number + index + 1),
        released: pick(days, number + index),
        format: pick(['cbz', 'pdf', 'epub', 'mobi'] as const, number + index),
        book_type: number === 3 ? 'oneshot' : null,
        analysed: (number + index) % 7 === 0 ? (0 as const) : (1 as const),
        metadata: JSON.stringify(each),
        file: (number + index) % 5 === 1 ? { fault_code: pick(['damaged', 'encrypted'] as const, number) } : {},
      })),
    )
    terms.series.push({ id: series.id, fields, hadAny: false })
    terms.books.push(...bookIds.map((id, index) => ({ id, fields: bookSaid[index] ?? {}, hadAny: false })))
    for (const [index, id] of bookIds.entries()) {
      if (number % 3 === 0) continue
      const completed = number % 3 === 1 || index > 0
      opened.push({ id, body: { currentPage: completed ? 20 : 5, completed } })
    }
  }
  await db.write(async (db) => {
    await upsertTerms(db, 'series', terms.series, now)
    await upsertTerms(db, 'book', terms.books, now)
  })
  for (const { id, body } of opened) bodyOf(await person.call(api.saveProgress, { params: { id }, body }))
  client = compatClient(server, person)
  allSeries = (await client.get<CompatPage<CompatSeries>>('api/v1/series?unpaged=true')).body.content
  allBooks = (await client.get<CompatPage<CompatBook>>('api/v1/books?unpaged=true')).body.content
})
afterAll(() => server[Symbol.asyncDispose]())

interface ConditionCase<Item> {
  readonly json: object
  readonly holds: (item: Item) => boolean
}

/** Names come in any case, with a key beside them that means nothing. */
const messy = (name: string): fc.Arbitrary<string> => fc.constantFrom(name, name.toLowerCase(), name.toUpperCase())

const leaf = <Item>(field: string, operand: fc.Arbitrary<{ json: object; holds: (item: Item) => boolean }>) =>
  fc.tuple(messy(field), operand, fc.boolean()).map(([name, { json, holds }, isTyped]): ConditionCase<Item> => ({
    json: { ...(isTyped && { type: field }), [name]: json },
    holds,
  }))

/** An operator and its opposite. */
const pair = <Item, Value>(
  [positive, negative]: readonly [string, string],
  values: fc.Arbitrary<Value>,
  test: (item: Item, value: Value) => boolean,
  operandOf: (value: Value) => object = (value) => ({ value }),
) =>
  fc.tuple(values, fc.boolean()).chain(([value, isNegative]) =>
    messy(isNegative ? negative : positive).map((operator) => ({
      json: { operator, ...operandOf(value) },
      holds: (item: Item) => test(item, value) !== isNegative,
    })),
  )

const isOrNot = ['is', 'isNot'] as const
const text = <Item>(of: (item: Item) => string) => {
  const parts = fc.constantFrom('Alpha', 'alp', 'ECLAIR', 'e', '100%', '_', 'a', '(2)', 'zz', '')
  const each = (names: readonly [string, string], compare: (text: string, part: string) => boolean) =>
    pair<Item, string>(names, parts, (item, part) => compare(plainText(of(item)), plainText(part)))
  return fc.oneof(
    each(isOrNot, (text, part) => text === part),
    each(['contains', 'doesNotContain'], (text, part) => text.includes(part)),
    each(['beginsWith', 'doesNotBeginWith'], (text, part) => text.startsWith(part)),
    each(['endsWith', 'doesNotEndWith'], (text, part) => text.endsWith(part)),
  )
}
const presence = <Item>(of: (item: Item) => boolean) =>
  pair<Item, undefined>(['isNotNull', 'isNull'], fc.constant(undefined), of, () => ({}))
const words = <Item>(of: (item: Item) => readonly string[], values: readonly string[]) =>
  fc.oneof(
    pair<Item, string>(isOrNot, fc.constantFrom(...values, 'Nothing'), (item, value) =>
      of(item).map(fold).includes(fold(value)),
    ),
    presence<Item>((item) => of(item).length > 0),
  )
/** A word that a record has, or the empty one, which says that it has none. */
const one = <Item>(of: (item: Item) => string, values: readonly string[]) =>
  fc.oneof(
    pair<Item, string>(
      isOrNot,
      fc.constantFrom(...values, 'Nothing', ''),
      (item, value) => fold(of(item)) === fold(value),
    ),
    presence<Item>((item) => of(item) !== ''),
  )
const oneOf = <Item>(of: (item: Item) => string, values: readonly string[]) =>
  pair<Item, string>(isOrNot, fc.constantFrom(...values), (item, value) => of(item) === value)
const flag = <Item>(of: (item: Item) => boolean) =>
  pair<Item, undefined>(['isTrue', 'isFalse'], fc.constant(undefined), of, () => ({}))
const numbers = <Item>(of: (item: Item) => number | null) => {
  const values = fc.constantFrom(1, 2, 2.5, 6, 12, 7)
  const compared = (operator: string, test: (one: number, other: number) => boolean) =>
    values.map((value) => ({
      json: { operator, value },
      holds: (item: Item) => {
        const number = of(item)
        return number !== null && test(number, value)
      },
    }))
  return fc.oneof(
    pair<Item, number>(isOrNot, values, (item, value) => of(item) === value),
    compared('greaterThan', (one, other) => one >= other),
    compared('lessThan', (one, other) => one <= other),
    presence<Item>((item) => of(item) !== null),
  )
}
const released = <Item>(of: (item: Item) => string | null) => {
  const instants = fc.constantFrom('2001-01-01T00:00:00Z', '2001-06-02T12:00:00.000Z', '2010-10-10T00:00:00+02:00')
  const compared = (operator: string, test: (one: string, other: string) => boolean) =>
    instants.map((dateTime) => ({
      json: { operator, dateTime },
      holds: (item: Item) => {
        const day = of(item)
        return day !== null && test(day, new Date(dateTime).toISOString().slice(0, 10))
      },
    }))
  return fc.oneof(
    compared('after', (one, other) => one > other),
    compared('before', (one, other) => one < other),
    // Fifty years take in all there is, a day nothing.
    pair<Item, string>(
      ['isInTheLast', 'isNotInTheLast'],
      fc.constantFrom('P50Y', 'P1D'),
      (item, duration) => of(item) !== null && duration === 'P50Y',
      (duration) => ({ duration }),
    ),
    presence<Item>((item) => of(item) !== null),
  )
}

const theirRoles: Readonly<Record<string, string>> = { writer: 'WRITER', penciller: 'PENCILLER', cover: 'COVER' }
const author = <Item>(of: (item: Item) => readonly { name: string; role: string }[]) =>
  pair<Item, { name?: string; role?: string }>(
    isOrNot,
    fc.record(
      { name: fc.constantFrom('Ann', 'bob', 'Nobody'), role: fc.constantFrom('writer', 'PENCILLER', 'cover') },
      { requiredKeys: ['name'] },
    ),
    (item, { name, role }) =>
      of(item).some(
        (each) =>
          fold(each.name) === fold(name ?? '') && (role === undefined || each.role === theirRoles[role.toLowerCase()]),
      ) ||
      // The specification names no translators: by name they are found all the same.
      (role === undefined && translators(item).some((each) => fold(each) === fold(name ?? ''))),
  )

/** The default spelling leaves out these translators. */
let hidden: ReadonlyMap<string, readonly string[]> = new Map()
const translators = (item: unknown): readonly string[] => hidden.get((item as { id: string }).id) ?? []

const readStatus = (series: CompatSeries): string =>
  series.booksReadCount === series.booksCount
    ? 'READ'
    : series.booksReadCount + series.booksInProgressCount === 0
      ? 'UNREAD'
      : 'IN_PROGRESS'

const tagsOf = (series: CompatSeries) => [...series.metadata.tags, ...series.booksMetadata.tags]
const seriesLeaves = (): fc.Arbitrary<ConditionCase<CompatSeries>> =>
  fc.oneof(
    leaf(
      'libraryId',
      oneOf(
        ({ libraryId }: CompatSeries) => libraryId,
        allSeries.slice(0, 3).map(({ libraryId }) => libraryId),
      ),
    ),
    leaf(
      'title',
      text(({ metadata }: CompatSeries) => metadata.title),
    ),
    leaf(
      'titleSort',
      text(({ metadata }: CompatSeries) => metadata.titleSort),
    ),
    leaf('tag', words(tagsOf, tags)),
    leaf(
      'genre',
      words(({ metadata }: CompatSeries) => metadata.genres, tags),
    ),
    leaf(
      'publisher',
      one(({ metadata }: CompatSeries) => metadata.publisher, ['even', 'ODD & Co']),
    ),
    leaf(
      'language',
      one(({ metadata }: CompatSeries) => metadata.language, ['ja', 'EN']),
    ),
    leaf(
      'ageRating',
      numbers(({ metadata }: CompatSeries) => metadata.ageRating),
    ),
    leaf(
      'releaseDate',
      released(({ booksMetadata }: CompatSeries) => booksMetadata.releaseDate),
    ),
    leaf('readStatus', oneOf(readStatus, ['READ', 'UNREAD', 'IN_PROGRESS'])),
    leaf(
      'seriesStatus',
      oneOf(({ metadata }: CompatSeries) => metadata.status, ['ENDED', 'ONGOING', 'ABANDONED', 'HIATUS']),
    ),
    leaf(
      'author',
      author(({ booksMetadata }: CompatSeries) => booksMetadata.authors),
    ),
    leaf(
      'deleted',
      flag(({ deleted }: CompatSeries) => deleted),
    ),
    leaf(
      'oneShot',
      flag(({ oneshot }: CompatSeries) => oneshot),
    ),
    leaf(
      'complete',
      fc.boolean().map((isTrue) => ({
        json: { operator: isTrue ? 'isTrue' : 'isFalse' },
        holds: ({ booksCount, metadata: { totalBookCount } }: CompatSeries) =>
          totalBookCount !== null && (booksCount === totalBookCount) === isTrue,
      })),
    ),
  )

const bookStatus = ({ readProgress }: CompatBook): string =>
  readProgress === null ? 'UNREAD' : readProgress.completed ? 'READ' : 'IN_PROGRESS'

const bookLeaves = (): fc.Arbitrary<ConditionCase<CompatBook>> =>
  fc.oneof(
    leaf(
      'seriesId',
      oneOf(
        ({ seriesId }: CompatBook) => seriesId,
        allSeries.slice(0, 3).map(({ id }) => id),
      ),
    ),
    leaf(
      'title',
      text(({ metadata }: CompatBook) => metadata.title),
    ),
    leaf(
      'tag',
      words(({ metadata }: CompatBook) => metadata.tags, tags),
    ),
    leaf(
      'numberSort',
      numbers(({ metadata }: CompatBook) => metadata.numberSort),
    ),
    leaf(
      'releaseDate',
      released(({ metadata }: CompatBook) => metadata.releaseDate),
    ),
    leaf('readStatus', oneOf(bookStatus, ['READ', 'UNREAD', 'IN_PROGRESS'])),
    leaf(
      'mediaStatus',
      oneOf(({ media }: CompatBook) => media.status, ['READY', 'UNKNOWN', 'ERROR', 'UNSUPPORTED', 'OUTDATED']),
    ),
    leaf(
      'mediaProfile',
      oneOf(({ media }: CompatBook) => media.mediaProfile, ['DIVINA', 'PDF', 'EPUB']),
    ),
    leaf(
      'author',
      author(({ metadata }: CompatBook) => metadata.authors),
    ),
    leaf(
      'oneShot',
      flag(({ oneshot }: CompatBook) => oneshot),
    ),
    leaf(
      'deleted',
      flag(({ deleted }: CompatBook) => deleted),
    ),
  )

/** Groups of groups; several keys in one object mean all of them, an empty list anything. */
const nested = <Item>(leaves: fc.Arbitrary<ConditionCase<Item>>): fc.Arbitrary<ConditionCase<Item>> =>
  fc.letrec<{ options: ConditionCase<Item> }>((tie) => {
    const parts = fc.array(tie('options'), { maxLength: 3 })
    const all = fc.tuple(messy('allOf'), parts).map(([name, each]): ConditionCase<Item> => ({
      json: { [name]: each.map(({ json }) => json) },
      holds: (item) => each.every(({ holds }) => holds(item)),
    }))
    const any = fc.tuple(messy('anyOf'), parts).map(([name, each]): ConditionCase<Item> => ({
      json: { [name]: each.map(({ json }) => json) },
      holds: (item) => each.length === 0 || each.some(({ holds }) => holds(item)),
    }))
    const together = fc.tuple(leaves, all).map(([one, other]): ConditionCase<Item> => ({
      json: { ...other.json, ...one.json },
      holds: (item) => one.holds(item) && other.holds(item),
    }))
    return { options: fc.oneof({ maxDepth: 3 }, { arbitrary: leaves, weight: 5 }, all, any, together) }
  }).options

test('COM-1 CAT-4 any condition over series finds what it says of what is shown of them', async () => {
  const komga = compatClient(server, await server.person('admin'), 'Komelia/1')
  const spelled = (await komga.get<CompatPage<CompatSeries>>('api/v1/series?unpaged=true')).body.content
  hidden = translatorsIn(allSeries, spelled, ({ booksMetadata }) => booksMetadata.authors)
  const leaves = seriesLeaves()
  await fc.assert(
    fc.asyncProperty(fc.oneof({ arbitrary: leaves, weight: 3 }, nested(leaves)), async ({ json, holds }) => {
      const reply = await client.post<CompatPage<CompatSeries>>('api/v1/series/list?size=100', { condition: json })
      expect(reply.status).toBe(200)
      const expected = allSeries.filter(holds).map(({ id }) => id)
      expect(reply.body.content.map(({ id }) => id)).toEqual(expected)
      expect(reply.body.totalElements).toBe(expected.length)
    }),
    { numRuns: 200 },
  )
})

test('COM-1 CAT-4 any condition over books finds what it says of what is shown of them', async () => {
  const komga = compatClient(server, await server.person('admin'), 'Komelia/1')
  const spelled = (await komga.get<CompatPage<CompatBook>>('api/v1/books?unpaged=true')).body.content
  hidden = translatorsIn(allBooks, spelled, ({ metadata }) => metadata.authors)
  const leaves = bookLeaves()
  await fc.assert(
    fc.asyncProperty(fc.oneof({ arbitrary: leaves, weight: 3 }, nested(leaves)), async ({ json, holds }) => {
      const reply = await client.post<CompatPage<CompatBook>>('api/v1/books/list?size=100', { condition: json })
      expect(reply.status).toBe(200)
      const expected = allBooks.filter(holds).map(({ id }) => id)
      expect(reply.body.content.map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
      expect(reply.body.totalElements).toBe(expected.length)
    }),
    { numRuns: 200 },
  )
})

const translatorsIn = <Item extends { readonly id: string }>(
  items: readonly Item[],
  spelled: readonly Item[],
  authorsOf: (item: Item) => readonly { name: string; role: string }[],
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    items.map(({ id }) => {
      const same = spelled.find((each) => each.id === id.replaceAll('-', ''))
      return [id, (same ? authorsOf(same) : []).filter(({ role }) => role === 'translator').map(({ name }) => name)]
    }),
  )

test('COM-1 C14 a condition that cannot be understood is refused with the place where it goes wrong', async () => {
  for (const [condition, pointer] of [
    ['text', 'condition'],
    [{}, 'condition'],
    [{ noSuchField: { operator: 'is' } }, 'condition'],
    [{ allOf: {} }, 'condition/allOf'],
    [{ allOf: [{ title: { operator: 'is', value: 12 } }] }, 'condition/allOf/0/title/value'],
    [{ title: { operator: 'sounds' } }, 'condition/title/operator'],
    [{ readStatus: { operator: 'is', value: 'BURNT' } }, 'condition/readStatus/value'],
    [{ releaseDate: { operator: 'after', dateTime: 'tomorrow' } }, 'condition/releaseDate/dateTime'],
    [{ releaseDate: { operator: 'after', dateTime: '2026-02-30T00:00:00Z' } }, 'condition/releaseDate/dateTime'],
    [{ releaseDate: { operator: 'isInTheLast', duration: 'P' } }, 'condition/releaseDate/duration'],
  ] as const) {
    const { status, body } = await client.post<{ message: string; error: string }>('api/v1/series/list', { condition })
    expect([condition, status, body.error]).toEqual([condition, 400, 'Bad Request'])
    expect(body.message.startsWith(`${pointer} `)).toBe(true)
  }
  let deep: object = { title: { operator: 'is', value: 'x' } }
  for (let depth = 0; depth < 20; depth += 1) deep = { allOf: [deep] }
  expect((await client.post('api/v1/series/list', { condition: deep })).status).toBe(400)
  const many = Array.from({ length: 501 }, () => ({ title: { operator: 'is', value: 'x' } }))
  expect((await client.post('api/v1/series/list', { condition: { anyOf: many } })).status).toBe(400)
})
