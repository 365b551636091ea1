import type { ScanStatus } from '@carrel/api'
import { expect, test } from 'vitest'
import { stepOf } from './scan-steps.ts'

const scan: ScanStatus = {
  id: 'scan',
  taskId: 'task',
  libraryId: 'library',
  mode: 'changes',
  status: 'processing',
  phase: 'walking',
  filesTotal: 40,
  filesProcessed: 0,
  booksAdded: 0,
  booksUpdated: 0,
  booksMoved: 0,
  booksMissing: 0,
  booksRestored: 0,
  seriesAdded: 0,
  errorCount: 0,
  errors: [],
  ratePerSecond: 0,
  secondsLeft: null,
  startedAt: null,
  completedAt: null,
}

test('a scan looks, without an end in sight, and then lists so many of so many', () => {
  expect(stepOf(undefined, 10)).toBeUndefined()
  expect(stepOf({ ...scan, status: 'pending', phase: null }, 10)).toMatchObject({ name: 'waiting' })
  expect(stepOf(scan, 10)).toMatchObject({ name: 'looking', done: 40, total: undefined })
  expect(stepOf({ ...scan, phase: 'applying', filesProcessed: 30, secondsLeft: 4 }, 10)).toEqual({
    name: 'listing',
    done: 30,
    total: 40,
    secondsLeft: 4,
  })
})

test('when it is over, what it has listed is still to be read; after that nothing goes on', () => {
  const over: ScanStatus = { ...scan, status: 'completed', phase: null }
  expect(stepOf({ ...over, analysisPending: 4 }, 40)).toMatchObject({ name: 'reading', done: 36, total: 40 })
  // The count of books is that of another moment.
  expect(stepOf({ ...over, analysisPending: 4 }, 0)).toMatchObject({ name: 'reading', done: 0, total: 4 })
  expect(stepOf({ ...over, analysisPending: 0 }, 40)).toBeUndefined()
  expect(stepOf({ ...over, status: 'cancelled' }, 40)).toBeUndefined()
})
