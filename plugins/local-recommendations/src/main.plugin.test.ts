import { fileURLToPath } from 'node:url'
import {
  clearRecommendations,
  dismissRecommendation,
  getRecommendations,
  type LibraryEntry,
  ping,
  type RecommendationsParams,
} from '@carrel/plugin-sdk'
import { type HostOptions, startPlugin } from '@carrel/plugin-sdk/testing'
import { describe, expect, test } from 'vitest'
import { makeHousehold } from '../test/household.ts'
import { measure, ours, popularity } from '../test/measure.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

const series = (title: string, more: Partial<LibraryEntry> & { author?: string } = {}): LibraryEntry => {
  const { author, ...rest } = more
  return {
    seriesId: `id ${title}`,
    title,
    genres: ['Comic'],
    ...rest,
    ...(author !== undefined && { metadata: { ...rest.metadata, authors: [{ name: author, role: 'writer' }] } }),
  }
}
const finished = { readingStatus: 'completed', booksRead: 3 } as const
const unread = { readingStatus: 'unread', booksRead: 0 } as const
const filler = Array.from({ length: 30 }, (_, index) => series(`Filler ${index}`, { tags: [`own ${index}`] }))

const recommendationsFor = async (params: RecommendationsParams, options?: HostOptions) => {
  await using plugin = await startPlugin(program, options)
  return (await plugin.call(getRecommendations, params)).recommendations
}

describe('recommendations from the own library', () => {
  test('come with a reason a person understands, and never name what was read already', async () => {
    const library = [
      series('Night Train', { ...finished, author: 'Ana Kovač', tags: ['railways', 'heist'] }),
      series('Cold Harbour', { ...finished, author: 'Ana Kovač', tags: ['harbour'] }),
      series('Last Stop', { ...unread, author: 'Ana Kovač', tags: ['railways', 'farewell'] }),
      ...filler,
    ]
    const [first, ...others] = await recommendationsFor({ library })
    expect(first).toMatchObject({
      externalId: 'id Last Stop',
      codexSeriesId: 'id Last Stop',
      inLibrary: true,
      title: 'Last Stop',
      reason: 'Because you finished Night Train and Cold Harbour: also by Ana Kovač.',
      basedOn: ['Night Train', 'Cold Harbour'],
    })
    expect(first?.score).toBeGreaterThan(0)
    expect(first?.score).toBeLessThanOrEqual(1)
    expect(others).toEqual([])
  })

  test('say what was done with what they rest on, in the language of the user', async () => {
    const library = [
      series('A', { readingStatus: 'completed', userRating: 90, tags: ['x'] }),
      series('B', { readingStatus: 'reading', publisher: 'P', tags: ['y'] } as Partial<LibraryEntry>),
      series('AA', { ...unread, tags: ['x'] }),
      series('BB', { ...unread, tags: ['y'] }),
      ...filler,
    ]
    const reasons = (await recommendationsFor({ library })).map(({ reason }) => reason)
    expect(reasons).toEqual([
      'Because you gave A 4.5 of 5 stars: also about x.',
      'Because you are reading B: also about y.',
    ])
    const german = await recommendationsFor({ library }, { userConfig: { language: 'de' } })
    expect(german[0]?.reason).toBe('Weil du A 4,5 von 5 Sternen gegeben hast: auch über x.')
    const [spanish] = await recommendationsFor({ library, language: 'es-MX' })
    expect(spanish?.reason).toBe('Porque diste a A 4,5 de 5 estrellas: también sobre x.')
    const [japanese] = await recommendationsFor({ library, language: 'es' }, { userConfig: { language: 'ja' } })
    expect(japanese?.reason).toBe('Aに星4.5（5つ中）を付けたため: 同じテーマ: x。')
    const [english] = await recommendationsFor({ library, language: 'nl' })
    expect(english?.reason).toBe('Because you gave A 4.5 of 5 stars: also about x.')
  })

  test('two that say the same are named together', async () => {
    const library = [
      series('One', { ...finished, tags: ['moon'] }),
      series('Two', { ...finished, tags: ['moon'] }),
      series('Three', { ...unread, tags: ['moon'] }),
      ...filler,
    ]
    const [first] = await recommendationsFor({ library })
    expect(first).toMatchObject({
      reason: 'Because you finished One and Two: also about moon.',
      basedOn: ['One', 'Two'],
    })
  })

  test('a genre and a publisher are called what they are', async () => {
    const from = (title: string, reading: object) =>
      series(title, { ...reading, genres: ['Comic', 'Western'], metadata: { publisher: 'Picture House' } })
    const library = [from('Liked', finished), from('Alike', unread), ...filler]
    const reasonIn = async (language: string) =>
      (await recommendationsFor({ library }, { userConfig: { language } })).map(({ reason }) => reason)
    expect(await reasonIn('en')).toEqual([
      'Because you finished Liked: also of the genre Western; also published by Picture House.',
    ])
    expect(await reasonIn('de')).toEqual([
      'Weil du Liked ausgelesen hast: auch aus dem Genre Western; auch erschienen bei Picture House.',
    ])
  })

  test('none is of a series that is in progress, paused, dropped or done: what comes next there is known', async () => {
    const begun = ['reading', 'on_hold', 'dropped', 'completed'] as const
    const library = [
      series('Liked', { ...finished, tags: ['x'] }),
      ...begun.map((readingStatus) =>
        series(readingStatus, { readingStatus, booksOwned: 9, booksRead: 1, tags: ['x'] }),
      ),
      series('New', { ...unread, booksOwned: 9, tags: ['x'] }),
      ...filler,
    ]
    expect((await recommendationsFor({ library })).map(({ title }) => title)).toEqual(['New'])
  })

  test('what everything has in common says nothing; spelling makes no difference', async () => {
    const library = [
      series('Liked', { ...finished, genres: ['Comic', 'Sci-Fi'] }),
      series('Alike', { ...unread, genres: ['comic', 'SCI FI'] }),
      series('Not alike', { ...unread, genres: ['Comic', 'Western'] }),
      ...filler,
    ]
    expect((await recommendationsFor({ library })).map(({ title }) => title)).toEqual(['Alike'])
  })

  test('what was dropped or rated low counts against what is like it', async () => {
    const library = [
      series('Liked', { ...finished, tags: ['sea', 'ships'] }),
      series('Dropped', { readingStatus: 'dropped', tags: ['sea', 'monsters'] }),
      series('Poor', { readingStatus: 'completed', userRating: 10, tags: ['ships', 'monsters'] }),
      series('Sea monsters', { ...unread, tags: ['sea', 'monsters'] }),
      series('Sea and ships', { ...unread, tags: ['sea', 'ships'] }),
      ...filler,
    ]
    expect((await recommendationsFor({ library })).map(({ title }) => title)).toEqual(['Sea and ships'])
  })

  test('are not ten of one author, unless there is nobody else', async () => {
    const ofAna = Array.from({ length: 12 }, (_, index) => series(`Ana ${index}`, { ...unread, author: 'Ana' }))
    const ofBen = Array.from({ length: 4 }, (_, index) => series(`Ben ${index}`, { ...unread, tags: ['tea'] }))
    const read = [series('Read', { ...finished, author: 'Ana', tags: ['tea'] })]
    const titles = async (library: LibraryEntry[]) =>
      (await recommendationsFor({ library: [...library, ...filler], limit: 10 })).map(({ title }) => title.slice(0, 3))
    const mixed = await titles([...read, ...ofAna, ...ofBen])
    expect(mixed.slice(0, 6).filter((name) => name === 'Ana')).toHaveLength(2)
    expect(await titles([...read, ...ofAna])).toEqual(Array.from({ length: 10 }, () => 'Ana'))
  })

  test('are none for somebody who has read nothing, and none of what they plan to read', async () => {
    const library = [series('A', { ...unread, tags: ['x'] }), series('B', { ...unread, tags: ['x'] }), ...filler]
    expect(await recommendationsFor({ library })).toEqual([])
    const planned = [series('A', { readingStatus: 'plan_to_read', tags: ['x'] }), ...library.slice(1)]
    expect((await recommendationsFor({ library: planned })).map(({ title, reason }) => [title, reason])).toEqual([
      ['B', 'Because you want to read A: also about x.'],
    ])
    expect(await recommendationsFor({ library: [] })).toEqual([])
  })

  test('what was dismissed stays away until that is taken back', async () => {
    await using plugin = await startPlugin(program)
    const library = [
      series('Read', { ...finished, tags: ['x'] }),
      ...['A', 'B', 'C'].map((title) => series(title, { ...unread, tags: ['x'] })),
      ...filler,
    ]
    const titles = async (excludeIds?: string[]) =>
      (await plugin.call(getRecommendations, { library, ...(excludeIds && { excludeIds }) })).recommendations.map(
        ({ title }) => title,
      )
    expect(await titles(['id C'])).toEqual(['A', 'B'])
    await plugin.call(dismissRecommendation, { externalId: 'id A', reason: 'already_read' })
    expect(await titles()).toEqual(['B', 'C'])
    // A host that says what is away says too what no longer is.
    expect(await titles(['id B'])).toEqual(['A', 'C'])
    expect(await plugin.call(clearRecommendations)).toEqual({ cleared: true })
    expect(await titles()).toEqual(['A', 'B', 'C'])
  })

  test('the same library in another order has the same answer', async () => {
    const { series: all } = makeHousehold(4)
    const library = all.slice(0, 300).map((entry, index) => (index % 9 === 0 ? { ...entry, ...finished } : entry))
    const [one, other] = [
      await recommendationsFor({ library }),
      await recommendationsFor({ library: library.toReversed() }),
    ]
    expect(one).toHaveLength(20)
    expect(other).toEqual(one)
  })
})

test('a library of twenty thousand series does not hold up other calls', async () => {
  await using plugin = await startPlugin(program)
  const { series: all } = makeHousehold(5)
  const library = Array.from({ length: 20_000 }, (_, index): LibraryEntry => {
    const entry = all[index % all.length]
    return {
      ...series(`S ${index}`, entry),
      seriesId: `s ${index}`,
      ...(index % 20 === 0 ? finished : unread),
    }
  })
  const order: string[] = []
  const pending = plugin.call(getRecommendations, { library }).then((reply) => {
    order.push('recommended')
    return reply
  })
  // There are more pings than can be read while the first line is being worked on: some are answered during that work.
  const pings = async () => {
    while (!order.includes('recommended')) order.push(await plugin.call(ping))
  }
  const [{ recommendations }] = await Promise.all([pending, pings()])
  expect(recommendations).toHaveLength(20)
  expect(order.indexOf('recommended')).toBeGreaterThan(3)
})

test('it finds what was hidden more often than popularity does', async () => {
  const household = makeHousehold(2)
  const [mine, popular] = [await measure(household, ours, 3), await measure(household, popularity, 3)]
  expect(mine.cases).toBe(popular.cases)
  expect(mine.hitRate).toBeGreaterThan(2 * popular.hitRate)
  expect(mine.reciprocalRank).toBeGreaterThan(2 * popular.reciprocalRank)
})
