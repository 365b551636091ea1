import { expect, test } from 'vitest'
import { type Hit, hitsFor } from './hits.ts'
import { type Group, keepPositions, lineOfHit } from './lines.ts'

const hit = (kind: Hit['kind'], id: string, value: string, more: Partial<Hit> = {}): Hit => ({
  kind,
  id,
  value,
  count: 1,
  ...more,
})
const progress = (completed: boolean) => ({ currentPage: 3, progressPercentage: null, completed })

const keysIn = (groups: readonly Group[]) => groups.map(({ name, lines }) => [name, ...lines.map(({ key }) => key)])

const titlesFor = (text: string, cached: readonly Hit[], suggested: readonly Hit[] = []) =>
  [...hitsFor(text, text.toLowerCase().split(' '), { cached, suggested })]
    .filter(([, hits]) => hits.length > 0)
    .map(([group, hits]) => [group, ...hits.map(({ id }) => id)])

test('P3 what is begun stands first, and what the server finds below what was known', () => {
  const begun = hit('book', 'begun', 'Two Letters', { seriesName: 'Iron Harbor', readProgress: progress(false) })
  const read = hit('book', 'read', 'One Letter', { seriesName: 'Iron Harbor', readProgress: progress(true) })
  const cached = [read, hit('series', 'iron', 'Iron Harbor'), begun, hit('series', 'no', 'Night Parade')]
  expect(titlesFor('har', cached)).toEqual([
    ['continue', 'begun'],
    ['series', 'iron'],
    ['books', 'read'],
  ])
  const suggested = [hit('series', 'hart', 'Hart'), hit('series', 'iron', 'Iron Harbor'), hit('person', 'p', 'Haru')]
  expect(titlesFor('har', cached, suggested)).toEqual([
    ['continue', 'begun'],
    ['series', 'iron', 'hart'],
    ['people', 'p'],
    ['books', 'read'],
  ])
})

test('a one-shot that is known is told once, as a book; a number and an author find a book too', () => {
  const cached = [
    hit('series', 's', 'Dracula', { oneShot: true }),
    hit('book', 'b', 'Dracula', { oneShot: true, seriesId: 's', seriesName: 'Dracula', authors: ['Bram Stoker'] }),
    hit('book', 'seven', 'Low Tide', { seriesId: 'iron', seriesName: 'Iron Harbor', number: 7 }),
  ]
  expect(titlesFor('dracula', cached)).toEqual([['books', 'b']])
  expect(titlesFor('stoker', cached)).toEqual([['books', 'b']])
  expect(titlesFor('iron 7', cached)).toEqual([['books', 'seven']])
})

test('lines that were shown stay where they are, those that come are below', () => {
  const [one, two, three] = [hit('series', '1', 'A'), hit('book', '2', 'B'), hit('series', '3', 'C')].map(lineOfHit)
  if (!one || !two || !three) throw new Error('There are three')
  const shown = [
    { name: 'series', lines: [one] },
    { name: 'books', lines: [two] },
  ] as const
  const next = [
    { name: 'series', lines: [three, one] },
    { name: 'books', lines: [two] },
  ] as const
  expect(keysIn(keepPositions(shown, next))).toEqual([
    ['series', 'series 1'],
    ['books', 'book 2'],
    ['more', 'series 3'],
  ])
  expect(keepPositions(keepPositions(shown, next), next)).toEqual(keepPositions(shown, next))
})
