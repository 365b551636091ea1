import { expect, test } from 'vitest'
import type { ImportDto } from '@carrel/api'
import { linesOf, linesOfTaken } from './import-report.ts'

const example: ImportDto = {
  id: 'import',
  kind: 'kavita',
  state: 'ready',
  taskId: null,
  source: { path: '/backup/kavita.db', uploadId: null, url: null },
  version: null,
  fault: null,
  progress: null,
  choose: null,
  libraries: [],
  users: [],
  found: { books: 3 },
  matched: { byHash: 1, byPath: 1, byName: 0 },
  unmatched: [],
  unmatchedCount: 1,
  wouldCreate: {},
  privateLists: 0,
  conflicts: [],
  passedOver: [],
  taken: {},
  createdAt: '2026-11-21T10:00:00.000Z',
  readyAt: null,
  appliedAt: null,
  undoneAt: null,
}
const nothingLeft = { left: new Set<never>(), takesPrivateLists: false }
const text = (report: Partial<ImportDto>, call: Parameters<typeof linesOf>[1] = nothingLeft): string =>
  linesOf({ ...example, ...report }, call, 'keeper').join('\n')

test('C25 what would be made is told without the parts that are left out', () => {
  const wouldCreate = { users: 2, progress: 30, collections: 1, readLists: 2, metadataOfBooks: 4, ratings: 0 }
  expect(text({ wouldCreate })).toContain(
    'Would be made: 2 users, 30 states and times of reading, 1 collections, 2 reading lists, 4 books with metadata.',
  )
  const call = { left: new Set(['progress', 'lists'] as const), takesPrivateLists: false }
  expect(text({ wouldCreate }, call)).toContain('Would be made: 2 users, 4 books with metadata.')
})

test('C25 what was here already is told apart from what was taken over', () => {
  expect(linesOfTaken({ id: 'one', taken: { users: 2, progress: 3, progressKnown: 4 } })).toEqual([
    'Taken over: 2 users, 3 states and times of reading.',
    'Not taken over: 4 states and times, which were here already.',
    'Whoever is new has no password: under Users, each gets a link in that works once.',
    'To take it back: carrel import-from --undo one',
  ])
  expect(linesOfTaken({ id: 'two', taken: { progressKnown: 4 } })).toEqual([
    'Taken over: nothing.',
    'Not taken over: 4 states and times, which were here already.',
  ])
})

test('C25 private lists are told of, and what becomes of them', () => {
  expect(text({ privateLists: 3 })).toContain('Private lists: 3.')
  expect(text({ privateLists: 3 })).toContain('they are made with --private-lists alone.')
  expect(text({ privateLists: 3 }, { left: new Set(), takesPrivateLists: true })).toContain(
    'they are made, as you say.',
  )
  expect(text({ privateLists: 3 }, { left: new Set(['lists'] as const), takesPrivateLists: false })).not.toContain(
    'Private',
  )
  expect(text({ privateLists: 0 })).not.toContain('Private')
})

test('C25 a person without a name, and each reason, are told in words', () => {
  const users: ImportDto['users'] = [
    { theirs: '1', name: '', email: null, role: 'admin', ours: 'me', by: 'you', states: 1 },
    { theirs: '2', name: 'mara', email: null, role: 'reader', ours: 'other', by: 'import', states: 1 },
  ]
  const passedOver: ImportDto['passedOver'] = [
    { what: 'shelves', reason: 'no_such_thing', count: 2, examples: [] },
    { what: 'descriptions', reason: 'not_a_persons_word', count: null, examples: [] },
  ]
  const told = text({ users, passedOver })
  expect(told).toContain('it becomes that of keeper.')
  expect(told).toContain('User mara: is here, from an earlier import.')
  expect(told).toContain('left out (there is nothing of the kind here): 2 shelves')
  expect(told).toContain('left out (no person has said it): descriptions')
  expect(told).not.toMatch(/User :|[a-z]_[a-z]/)
})
