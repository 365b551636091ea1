import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { plansOf, slowSteps, statementsOf } from '../../../test/plans.ts'
import { startServer } from '../../../test/start-server.ts'
import { insertMany } from '../../database/many.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import {
  isAwaited,
  selectBooksByDigest,
  selectBooksByName,
  selectDocumentOfEntry,
  selectDocuments,
  selectWaitingPageTimes,
} from './queries.ts'

test('KOR-1 W16 whatever KOReader asks or says is found by an index, however many books there are', async () => {
  await using server = await startServer()
  const { db, config } = server.context
  const library = await addLibrary(db)
  const rows = Array.from({ length: 400 }, (_, index) => ({ file: { name_hash: `name ${index}` } }))
  const bookIds = await addBooks(db, await addSeries(db, library), rows)
  const prints = bookIds.map((id) => ({ kind: 'koreader' as const, value: id, book_id: id, at: '' }))
  await db.write((db) => insertMany(db, 'book_fingerprint', prints))
  const userId = (await server.person('reader')).id
  const rule = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
  const viewers: readonly Viewer[] = [rule, { ...rule, libraries: [library.id], ageCeiling: 12 }].map((each) => ({
    userId,
    rule: each,
    deletedLibraries: [],
    seesPaths: false,
  }))
  const statements = await statementsOf(async (db) => {
    for (const viewer of viewers) {
      await selectBooksByDigest(db, viewer, 'digest')
      await selectBooksByName(db, viewer, ['digest', 'another'])
    }
    await selectDocuments(db, userId, 'digest')
    await selectDocumentOfEntry(db, userId, 'digest', 'entry')
    await selectWaitingPageTimes(db, { userId, document: 'digest' }, 400)
    await isAwaited(db, bookIds.slice(0, 20))
  })
  const plans = await plansOf(config.database, statements)
  expect(plans.map(({ steps }) => slowSteps(steps).filter((step) => !isOfOneReader(step))).flat()).toEqual([])
  expect(plans.length).toBeGreaterThan(7)
})

/** The entries of one reader about one document are sorted by time: that is a handful of rows. */
const isOfOneReader = (step: string): boolean => /ORDER BY|Sort/.test(step)
