import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { plansOf, slowSteps, statementsOf } from '../../../../test/plans.ts'
import { startServer } from '../../../../test/start-server.ts'
import { insertMany } from '../../../database/many.ts'
import { newId } from '../../../platform/ids.ts'
import {
  selectFilesAfter,
  selectFilesNamed,
  selectFilesOfBooks,
  selectWalkedFiles,
  selectWithSeveralFiles,
} from './queries.ts'

test('C21 W16 the files of books, and those beside them, are found by an index, however many books there are', async () => {
  await using server = await startServer()
  const { db, config } = server.context
  const library = await addLibrary(db)
  const bookIds = await addBooks(
    db,
    await addSeries(db, library),
    Array.from({ length: 400 }, () => ({})),
  )
  const id = newId()
  const merge = { id, entity: 'file' as const, library_id: library.id, into_id: '', at: '', by_user_id: null }
  await db.write(async (db) => {
    await insertMany(db, 'merge', [{ ...merge, undone_at: null }])
    const parts = bookIds.slice(0, 100).map((book_id, index) => ({
      book_id,
      into_book_id: bookIds[index + 100] ?? '',
      merge_id: id,
      is_format: 1 as const,
    }))
    await insertMany(db, 'book_merge', parts)
  })
  const some = bookIds.slice(0, 20)
  const statements = await statementsOf(async (db) => {
    const names = { rootId: library.rootId, folder: 'A/', from: 'B.', behind: 'B/' }
    await selectFilesNamed(db, [names, { ...names, folder: 'C/' }])
    await selectFilesOfBooks(db, some)
    await selectWithSeveralFiles(db, some)
    await selectWalkedFiles(db, some)
    await selectFilesAfter(db, library.rootId, { folder: 'A/', name: 'B' }, 1000)
  })
  const plans = await plansOf(config.database, statements)
  expect(plans.map(({ steps }) => slowSteps(steps).filter((step) => !isOfAFew(step))).flat()).toEqual([])
  expect(plans.length).toBeGreaterThanOrEqual(5)
})

/** The books of a batch are told once: that is a handful of rows. */
const isOfAFew = (step: string): boolean => /ORDER BY|Sort/.test(step)
