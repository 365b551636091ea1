import { allEndpoints } from '@carrel/api/all-endpoints'
import { eventTypes, nameOf } from '@carrel/api'
import { expect, test } from 'vitest'
import { type Happening, makesOld } from '../src/api/event-effects.ts'

const reads = allEndpoints.filter(({ method }) => method === 'GET').map((endpoint) => nameOf(endpoint))
const madeOldBy = (type: string): string[] => reads.filter((name) => makesOld({ type }, { name }))

test('EVT-2 what an event makes old is read again, and nothing else', () => {
  expect(madeOldBy('preset_created')).toEqual(['GET /api/v1/filter-presets', 'GET /api/v1/filter-presets/{id}'])
  expect(madeOldBy('book_created')).toEqual(
    expect.arrayContaining([
      'GET /api/v1/libraries',
      'GET /api/v1/series',
      'GET /api/v1/series/{id}/books',
      'GET /api/v1/search',
    ]),
  )
  expect(madeOldBy('book_created').filter((name) => /users|settings|api-keys/.test(name))).toEqual([])
  expect(madeOldBy('collection_updated')).toContain('GET /api/v1/series/{id}/collections')
  const ofMySeries = ['GET /api/v1/user/followed-series', 'GET /api/v1/user/reading-status']
  for (const type of ['book_created', 'progress_updated', 'cover_updated'])
    expect(madeOldBy(type)).toEqual(expect.arrayContaining(ofMySeries))
  expect(madeOldBy('something_new')).toEqual([])
})

test('of one book or series, what happens to another one changes nothing', () => {
  const happening = { type: 'book_updated', bookId: 'book', seriesId: 'series' }
  const isOld = (name: string, id?: string): boolean => makesOld(happening, { name: `GET /api/v1/${name}`, id })

  expect([isOld('books/{id}', 'book'), isOld('books/{id}', 'other')]).toEqual([true, false])
  expect([isOld('series/{id}/books', 'series'), isOld('series/{id}/books', 'other')]).toEqual([true, false])
  // Its neighbours may have become others.
  expect(isOld('books/{id}/adjacent', 'other')).toBe(true)
  expect(isOld('readlists/{id}/books', 'any')).toBe(true)
  expect(isOld('books')).toBe(true)
})

test('of one library, what happens in another one changes nothing, nor a task that is of none', () => {
  const status = (type: string, libraryId?: string): boolean =>
    makesOld({ type, ...(libraryId !== undefined && { libraryId }) }, { name: scanStatus, id: 'library' })
  const scanStatus = 'GET /api/v1/libraries/{id}/scan-status'

  expect([status('scan_progress', 'library'), status('scan_progress', 'other')]).toEqual([true, false])
  expect([status('task_progress', 'library'), status('task_progress')]).toEqual([true, false])
  expect(status('series_updated', 'library')).toBe(true)
})

test('EVT-2 of what is gone only its own page asks again', () => {
  const isOld = (happening: Happening, name: string, id: string): boolean =>
    makesOld(happening, { name: `GET /api/v1/${name}`, id })
  const library = { type: 'library_deleted', libraryId: 'library' }
  const book = { type: 'book_deleted', libraryId: 'library', seriesId: 'series', bookId: 'book' }

  expect(isOld(library, 'libraries/{id}', 'library')).toBe(true)
  expect(isOld(library, 'libraries/{id}/scan-status', 'library')).toBe(false)
  expect(isOld(book, 'books/{id}', 'book')).toBe(true)
  expect(isOld(book, 'books/{id}/series', 'book')).toBe(false)
  expect(isOld(book, 'series/{id}/books', 'series')).toBe(true)
})

/** They belong to parts that are still to come: nothing can be read of them yet. */
const ahead = /^(plugin|recommendations|release|notification)/

test('EVT-2 every kind of event that is announced makes something old', () => {
  const idle = eventTypes.filter((type) => !ahead.test(type) && madeOldBy(type).length === 0)
  expect(idle).toEqual([])
})
