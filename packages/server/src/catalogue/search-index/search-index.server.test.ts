import { deleteLibrary } from '@carrel/api'
import { sql } from 'kysely'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { title as inventTitle } from '../../../../../bench/gen/words.ts'
import { randomFrom } from '../../../test/books/pictures.ts'
import { addBooks, addLibrary, addManySeries, addSeries } from '../../../test/content.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { plansOf, statementsOf } from '../../../test/plans.ts'
import { addLibraryOn, scanNow } from '../../../test/scanning.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import type { Database, ReadDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue } from '../../tasks/queue.ts'
import { taskDefinitions } from '../../work.ts'
import { saveLayers } from '../metadata/metadata.ts'
import { refresh } from '../shown/shown.ts'
import { type Viewer, visibleTo } from '../visibility/visibility.ts'
import {
  rankedMatch,
  searchTargets,
  selectMatches,
  selectMatchesAnyway,
  selectNameHits,
  selectIsAnyShown,
} from './queries.ts'
import { find, indexDocuments, matchWords, prepareQuery, textMatch } from './search-index.ts'
import { indexBooksOfSeries, rebuildSearch } from './tasks.ts'

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const everybody: Viewer = { userId: newId(), rule: everything, deletedLibraries: [], seesPaths: false }

const idsFor = async (db: Database, target: 'series' | 'book', q: string, viewer = everybody, limit = 10) => {
  const query = await prepareQuery(db, q, true)
  const hits = query && (await find(db, viewer, query, { [target]: limit }))
  return [...(hits?.get(target) ?? [])]
}

const titlesOf = async (db: Database, target: 'series' | 'book', ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await db.read.selectFrom(target).select(['id', 'title']).where('id', 'in', ids).execute()
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  return ids.map((id) => titles.get(id) ?? '')
}
const titlesFor = async (db: Database, target: 'series' | 'book', q: string, viewer = everybody) =>
  titlesOf(db, target, await idsFor(db, target, q, viewer))

const countOf = async (db: Database, table: 'book_search' | 'series_search'): Promise<number> => {
  const { count } = await db.read
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

test('CAT-5 what is found follows every scan: books come, are renamed, go missing, come back, and are forgotten', async () => {
  await using server = await startServer()
  const { db, clock } = server.context
  await using folder = await libraryFolder()
  await folder.write('Marigold/Marigold 001.cbz', comic({ seed: 1 }))
  await folder.write('Marigold/Marigold 002.cbz', comic({ seed: 2 }))
  // What cannot be read is a book all the same.
  await folder.write('Marigold/Foxglove 003.cbz', 'not a book by any standard')
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  expect(await titlesFor(db, 'series', 'marigold')).toEqual(['Marigold'])
  expect(await idsFor(db, 'book', 'marigold')).toHaveLength(3)
  expect(await idsFor(db, 'book', 'foxglove')).toHaveLength(1)

  const [first = ''] = await idsFor(db, 'book', 'marigold 1')

  await rename(join(folder.path, 'Marigold/Marigold 002.cbz'), join(folder.path, 'Marigold/Thistledown 002.cbz'))
  await rename(join(folder.path, 'Marigold/Marigold 001.cbz'), join(folder.path, 'aside'))
  await scanNow(server, id, 'full')
  expect(await idsFor(db, 'book', 'thistledown')).toHaveLength(1)
  expect(await idsFor(db, 'book', 'marigold 1')).toEqual([])

  await rename(join(folder.path, 'Marigold'), join(folder.path, 'Oleander'))
  await rename(join(folder.path, 'aside'), join(folder.path, 'Oleander/Marigold 001.cbz'))
  await scanNow(server, id, 'full')
  expect(await idsFor(db, 'book', 'marigold 1')).toEqual([first])
  expect(await titlesFor(db, 'series', 'marigold')).toEqual([])
  expect(await titlesFor(db, 'series', 'oleander')).toEqual(['Oleander'])
  expect(await idsFor(db, 'book', 'oleander')).toHaveLength(3)

  const admin = await server.person('admin')
  expect((await admin.call(deleteLibrary, { params: { id } })).status).toBe(204)
  const forgetting = taskDefinitions.filter(({ type }) => type === 'forget_library')
  await using _ = workOn(server, forgetting)
  for (const each of forgetting) await db.write((db) => enqueue(db, each, { libraryId: id } as never, { now: clock() }))
  await expect.poll(() => countOf(db, 'book_search')).toBe(0)
  await expect.poll(() => countOf(db, 'series_search')).toBe(0)
  expect(await idsFor(db, 'book', 'oleander')).toEqual([])
})

const retitle = async ({ context: { db, clock } }: TestServer, seriesId: string, title: string) =>
  db.write(async (db) => {
    await saveLayers(db, [{ entityId: seriesId, source: 'user', fields: { title } }], clock())
    await refresh(db, { wordsOfSeries: [seriesId] }, clock())
  })

test('CAT-5 books are found by the new title of their series: a few at once, many by a task', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  for (const [size, title] of [
    [3, 'Few'],
    [230, 'Many'],
  ] as const) {
    const series = await addSeries(db, library, { title })
    await addBooks(
      db,
      series,
      Array.from({ length: size }, (_, index) => ({ title: `Volume ${index}`, fileName: `${index}.cbz` })),
    )
    await retitle(server, series.id, `Heliotrope ${title}`)
    expect(await titlesFor(db, 'series', 'heliotrope ' + title)).toEqual([`Heliotrope ${title}`])
  }
  expect(await idsFor(db, 'book', 'heliotrope', everybody, 500)).toHaveLength(3)
  await using _ = workOn(server, [indexBooksOfSeries])
  await expect.poll(async () => (await idsFor(db, 'book', 'heliotrope', everybody, 500)).length).toBe(233)
  expect(await idsFor(db, 'book', 'many vol', everybody, 500)).toHaveLength(230)
})

test('G1 CAT-5 a series that gets another title while its books are indexed has them all under that', async () => {
  await using server = await startServer()
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Before' })
  const names = Array.from({ length: 230 }, (_, index) => ({ title: `Volume ${index}`, fileName: `${index}.cbz` }))
  await addBooks(db, series, names)
  let isRenamed = false
  const renamedAtItsEnd: typeof indexBooksOfSeries = {
    ...indexBooksOfSeries,
    run: async (...given) => {
      const result = await indexBooksOfSeries.run(...given)
      if (!isRenamed) await retitle(server, series.id, 'Heliotrope')
      isRenamed = true
      return result
    },
  }
  await retitle(server, series.id, 'Between')
  await using _ = workOn(server, [renamedAtItsEnd])

  await expect.poll(async () => (await idsFor(db, 'book', 'heliotrope', everybody, 500)).length).toBe(230)
})

test('CAT-5 a task compares what everything is found by with what it should be, and repairs it', async () => {
  await using server = await startServer()
  const { db, clock } = server.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Peregrine' })
  const [one = '', two = ''] = await addBooks(db, series, [{ title: 'Kestrel' }, { title: 'Merlin' }])
  await db.write(async (db) => {
    await db.deleteFrom('series_search').execute()
    await db.deleteFrom('search_word').execute()
    await db.deleteFrom('text_word').execute()
    const damaged = { words: 'nonsense', text_words: 'tnonsense' }
    await db.updateTable('book_search').set(damaged).where('book_id', '=', one).execute()
  })
  expect(await idsByPart(db, 'estr')).toEqual([])
  expect(await idsFor(db, 'series', 'peregrine')).toEqual([])
  expect(await idsFor(db, 'book', 'kestrel')).toEqual([one])
  expect(await idsFor(db, 'book', 'nonsense')).toEqual([one])

  await using _ = workOn(server, [rebuildSearch])
  await db.write((db) => enqueue(db, rebuildSearch, {}, { now: clock() }))

  await expect.poll(() => idsFor(db, 'series', 'peregrin')).toEqual([series.id])
  await expect.poll(() => idsFor(db, 'book', 'ketsrel')).toEqual([one])
  expect(await idsFor(db, 'book', 'nonsense')).toEqual([])
  await expect.poll(() => idsFor(db, 'book', 'merln')).toEqual([two])
  await expect.poll(() => idsByPart(db, 'erli')).toEqual([two])
  expect(await idsByPart(db, 'estr')).toEqual([one])
})

/** The books whose titles have it by their words. */
const idsByPart = async (db: Database, part: string): Promise<string[]> => {
  const match = await matchWords(db, [{ text: 'title', operator: 'contains', part }])
  if (!match) throw new Error('Words say nothing of it')
  return (await db.read.selectFrom('book').select('id').where(match.where).execute()).map(({ id }) => id)
}

/** Nobody's idea of quick: every title is looked at, word by word. */
const oracle = (titles: readonly string[], q: string): { readonly title: string; readonly rank: string }[] => {
  const simple = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
  const words = simple(q).split(' ')
  const holds = (title: string, word: string, isLast: boolean, mistakes: number): boolean =>
    /[\u3040-\u9fff]/.test(word)
      ? title.includes(word)
      : title
          .split(' ')
          .some((each) => each === word || (isLast && each.startsWith(word)) || (mistakes > 0 && isNear(word, each)))
  return titles
    .flatMap((title) => {
      const text = simple(title)
      const fits = (mistakes: number) =>
        words.every((word, index) => holds(text, word, index === words.length - 1, mistakes))
      const exact = fits(0)
      if (!exact && !fits(1)) return []
      const rank = !exact ? 9 : text === simple(q) ? 0 : text.startsWith(simple(q)) ? 1 : 2
      return [{ title, rank: `${rank} ${String(text.length).padStart(4, '0')}` }]
    })
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
}

/** One word can be made into the other by one change; found by trying all of them. */
const isNear = (word: string, other: string): boolean => {
  if (Math.max(word.length, other.length) < 5 || /\d/.test(word)) return false
  const without = (text: string) => Array.from(text, (_, index) => text.slice(0, index) + text.slice(index + 1))
  if (without(word).includes(other) || without(other).includes(word)) return true
  if (word.length !== other.length) return false
  const swapped = Array.from(
    word,
    (_, index) =>
      word.slice(0, index) +
      word
        .slice(index, index + 2)
        .split('')
        .toReversed()
        .join('') +
      word.slice(index + 2),
  )
  return swapped.includes(other) || Array.from(word).filter((letter, index) => letter !== other[index]).length === 1
}

const mistyped = (word: string, random: () => number): string => {
  const position = Math.floor(random() * (word.length - 1))
  const ways = [
    word.slice(0, position) + word.slice(position + 1),
    `${word.slice(0, position)}q${word.slice(position)}`,
    `${word.slice(0, position)}q${word.slice(position + 1)}`,
    word.slice(0, position) + word.charAt(position + 1) + word.charAt(position) + word.slice(position + 2),
  ]
  return ways[Math.floor(random() * ways.length)] ?? word
}

test('CAT-5 of 2,000 titles the best ten are those that somebody finds who looks at every one', async () => {
  await using server = await startServer()
  const { db } = server.context
  const random = randomFrom(7)
  const titles = [...new Set(Array.from({ length: 2000 }, () => inventTitle(random)))]
  await addManySeries(
    db,
    await addLibrary(db),
    titles.map((title) => ({ title, book_count: 1 })),
  )
  const queries = Array.from({ length: 30 }, () => {
    const title = titles[Math.floor(random() * titles.length)] ?? ''
    const words = title.split(' ')
    const word = words[Math.floor(random() * words.length)] ?? ''
    const [first = '', second = ''] = words
    const from = Math.floor(random() * (word.length - 1))
    const isPart = /[\u3040-\u9fff]/.test(word)
    return [
      title.toUpperCase(),
      isPart ? word.slice(from, from + 2) : word.slice(0, 2 + Math.floor(random() * 4)),
      second === '' ? first : `${second} ${first.slice(0, 3)}`,
      !isPart && word.length >= 6 ? mistyped(word, random) : word,
    ]
  }).flat()
  const missed: unknown[] = []
  let expected = 0
  for (const q of queries.filter((each) => each.trim() !== '')) {
    const right = oracle(titles, q)
    const tenth = right[9]?.rank ?? '\uffff'
    const good = new Set(right.filter(({ rank }) => rank <= tenth).map(({ title }) => title))
    const matchingTitles = await titlesFor(db, 'series', q)
    const hits = matchingTitles.filter((title) => good.has(title)).length
    expected += Math.min(10, right.length)
    if (hits < Math.min(10, right.length)) missed.push({ q, found: matchingTitles, right: right.slice(0, 10) })
  }
  expect(expected).toBeGreaterThan(250)
  expect(missed).toEqual([])
})

test('CAT-5 AUTH-7 a list that is given a text has what a search finds, in the order of a search', async () => {
  await using server = await startServer()
  const { db } = server.context
  const seen = await addLibrary(db)
  const unseen = await addLibrary(db, { name: 'Hidden', path: '/data/hidden' })
  const titles = ['Lantern', 'Lantern Night', 'A Lantern', 'Lantren', 'Wren', 'Wrem']
  const add = (library: typeof seen, each: readonly string[]) =>
    addManySeries(
      db,
      library,
      each.map((title) => ({ title, book_count: 1 })),
    )
  await add(seen, titles)
  await add(unseen, ['Wrennn', 'Larch'])
  const viewer = { ...everybody, rule: { ...everything, libraries: [seen.id] } }
  const listed = async (text: string): Promise<string[]> => {
    const match = await textMatch(server.context, viewer, 'series', text)
    if (!match) throw new Error('There is something to look for')
    const rows = await db.readSlowly
      .selectFrom('series')
      .select('series.title')
      .where(match.where)
      .where(visibleTo(viewer, 'series'))
      .orderBy(match.relevance)
      .orderBy('series.sort_key')
      .execute()
    return rows.map(({ title }) => title)
  }

  expect(await listed('lantern')).toEqual(['Lantern', 'Lantern Night', 'A Lantern'])
  expect(await listed('lanten')).toEqual(['Lantern', 'Lantren', 'A Lantern', 'Lantern Night'])
  expect(await listed('???')).toEqual([])
  expect(await textMatch(server.context, viewer, 'series', '  ')).toBeUndefined()
  // What is hidden neither is found nor keeps a mistake from being forgiven.
  expect(await listed('larch')).toEqual([])
  expect(await listed('wrenn')).toEqual(['Wren'])
})

const addLists = async (db: Database, seriesIds: readonly string[]): Promise<void> => {
  const books = await db.read.selectFrom('book').select('id').execute()
  const at = '2026-11-01T10:00:00.000Z'
  const lists = Array.from({ length: 200 }, (_, number) => {
    const name = `List ${number}`
    const written = { created_at: at, updated_at: at }
    return { id: newId(), name, name_key: name, sort_key: name, summary: null, ordered: 0 as const, ...written }
  })
  const members = lists.flatMap(({ id }, number) =>
    Array.from({ length: 20 }, (_, position) => ({
      id,
      position,
      series_id: seriesIds[(number * 7 + position) % seriesIds.length] ?? '',
      book_id: books[(number * 31 + position) % books.length]?.id ?? '',
    })),
  )
  await db.write(async (db) => {
    const terms = lists.map(({ id, name, sort_key }) => ({ id, kind: 'person' as const, name, key: name, sort_key }))
    await insertMany(
      db,
      'term',
      terms.map((each) => ({ ...each, created_at: at })),
    )
    await insertMany(
      db,
      'collection',
      lists.map((each) => ({ ...each, condition: null })),
    )
    await insertMany(db, 'read_list', lists)
    const role = { role: '', place: 0 }
    const linked = members.map(({ id, position, series_id, book_id }) => {
      const membership = { position, added_at: at }
      return {
        person: { term_id: id, series_id, ...role },
        writer: { term_id: id, book_id, ...role },
        member: { collection_id: id, series_id, ...membership },
        entry: { id: newId(), read_list_id: id, book_id, ...membership },
      }
    })
    await insertMany(
      db,
      'series_term',
      linked.map(({ person }) => person),
    )
    await insertMany(
      db,
      'book_term',
      linked.map(({ writer }) => writer),
    )
    await insertMany(
      db,
      'collection_series',
      linked.map(({ member }) => member),
    )
    await insertMany(
      db,
      'read_list_book',
      linked.map(({ entry }) => entry),
    )
    for (const target of ['term', 'collection', 'read_list'] as const)
      await indexDocuments(
        db,
        target,
        lists.map(({ id }) => id),
      )
  })
}

test('W1 W16 whatever is looked for, no statement reads a whole table, and only what was found is put in order', async () => {
  await using server = await startServer()
  const { db, config } = server.context
  const library = await addLibrary(db)
  const random = randomFrom(3)
  const series = await addManySeries(
    db,
    library,
    Array.from({ length: 400 }, (_, index) => ({ title: `Kound ${inventTitle(random)} ${index}` })),
  )
  for (const each of series.slice(0, 20))
    await addBooks(
      db,
      each,
      Array.from({ length: 100 }, () => ({})),
    )
  await addLists(
    db,
    series.map(({ id }) => id),
  )
  const child: Viewer = { ...everybody, rule: { ...everything, ageCeiling: 12, denyTags: [newId()] } }
  const ids = series.slice(0, 30).map(({ id }) => id)
  const groups = [[{ word: 'kound' }, { word: 'pound' }], [{ word: 'na', isBeginning: true }]]
  const questions = searchTargets.flatMap((target): ((db: ReadDb) => Promise<unknown>)[] => {
    const { textIndex } = db.dialect
    const query = { target, text: 'kound na', patterns: ['% kound%', '% na%'], limit: 30 }
    const [all, some] = [
      textIndex.matching(`${target}_search`, groups),
      textIndex.someMatching(`${target}_search`, groups, 9),
    ]
    return [
      (db) => selectMatchesAnyway(db, [{ ...query, matches: some }], child),
      (db) => selectMatches(db, [{ ...query, matches: all }], child),
    ]
  })
  // Only SQLite has an index that is read in the order of what fits best.
  const ranked = (['book', 'series'] as const).flatMap((target): ((db: ReadDb) => Promise<unknown>)[] => {
    const table = `${target}_search`
    const index = db.dialect.textIndex.ranked(table, groups)
    if (!index) return []
    const { page, count } = rankedMatch({ target, text: 'kound na' }, index)
    const [first, matches] = [{ offset: 0, limit: 50 }, db.dialect.textIndex.matching(table, groups)]
    return [
      (db) => sql`select * from ${page(visibleTo(child, target), first)} as page`.execute(db),
      (db) => sql`select ${count(10_001)} as count`.execute(db),
      (db) => selectIsAnyShown(db, { target, matches }, child),
    ]
  })
  expect(ranked).toHaveLength(db.dialect.name === 'sqlite' ? 6 : 0)
  const rankedPlans = await plansOf(config.database, (await Promise.all(ranked.map(statementsOf))).flat())
  expect(rankedPlans.flatMap(({ steps }) => steps.filter((step) => step.includes('TEMP B-TREE')))).toEqual([])
  questions.push(...ranked)
  const names = { term: ids, collection: ids, read_list: ids }
  questions.push((db) => selectNameHits(db, child, names))
  const statements = (await Promise.all(questions.map(statementsOf))).flat()

  const plans = await plansOf(config.database, statements, { bitmaps: 'on' })

  expect(plans.length).toBeGreaterThanOrEqual(11)
  const scans = plans.flatMap(({ steps }) =>
    steps.filter(
      (step) =>
        (step.includes('Seq Scan on') && !/candidate|by_/.test(step)) ||
        /^SCAN (?!candidate|by_|best|of_books|worked_on|counted|hit|part_|found$|page$|CONSTANT ROW|\()/.test(step),
    ),
  )
  expect(scans).toEqual([])
})
