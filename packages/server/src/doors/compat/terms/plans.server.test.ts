import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { plansOfMillion } from '../../../../test/plans-of-a-million.ts'
import { plansOf, statementsOf } from '../../../../test/plans.ts'
import { startServer } from '../../../../test/start-server.ts'
import { keepTerms } from '../../../features/terms/terms.ts'
import { selectRoles } from './queries.ts'

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const everybody = { userId: '', rule: everything, deletedLibraries: [], seesPaths: true }
const viewers = [everybody, { ...everybody, rule: { ...everything, ageCeiling: 12 } }]
const everywhere = { series: undefined, books: undefined, search: undefined }

test('W1 W16 the roles of people are found a step at a time, whatever they have done them for', async () => {
  await using server = await startServer()
  const { config, db } = server.context
  const series = await addSeries(db, await addLibrary(db))
  const books = await addBooks(
    db,
    series,
    Array.from({ length: 200 }, (_, index) => ({ number: index + 1 })),
  )
  const did = (index: number) => (index % 2 ? ['writer', 'artist'] : ['artist', 'letterer'])
  await db.write((db) =>
    keepTerms(
      db,
      'book',
      books.map((id, index) => ({
        id,
        said: { authors: did(index).map((role) => ({ name: 'Ann', role })) },
        hadAny: false,
      })),
      new Date(),
    ),
  )
  const [{ id = '' } = {}] = await db.read.selectFrom('term').select('id').where('kind', '=', 'person').execute()
  const found = await selectRoles(db.read, everybody, everywhere, [id])
  expect(found.map(({ role }) => role)).toEqual(['artist', 'letterer', 'writer'])
  expect(await selectRoles(db.read, everybody, everywhere, undefined)).toEqual(found)

  const asked = viewers.flatMap((viewer) => [
    statementsOf((db) => selectRoles(db, viewer, everywhere, [id])),
    statementsOf((db) => selectRoles(db, viewer, everywhere, undefined)),
  ])
  const statements = (await Promise.all(asked)).flat()
  if (config.database.kind === 'postgres') {
    const plans = await plansOfMillion(config.database.url, statements)
    expect(plans.flatMap(({ slow }) => slow.filter((step) => !step.startsWith('Sort')))).toEqual([])
    return
  }
  for (const { steps } of await plansOf(config.database, statements)) {
    const ways = steps.filter((step) => /^(?:SCAN|SEARCH) (?:book|series)(?:_term)?\b(?! EXISTS)/.test(step))
    const found = /^SEARCH .*(?:COVERING INDEX \w+_by_role|INDEX \w+ \((?:series_)?id=\?\))/
    expect([ways.length > 5, ways.filter((step) => !found.test(step))]).toEqual([true, []])
  }
})
