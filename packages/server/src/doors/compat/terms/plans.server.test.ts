import type { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { plansOfMillion } from '../../../../test/plans-of-a-million.ts'
import { plansOf, statementsOf } from '../../../../test/plans.ts'
import { startServer } from '../../../../test/start-server.ts'
import type { DatabaseAddress } from '../../../database/open.ts'
import { upsertTerms } from '../../../catalogue/terms/terms.ts'
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
    upsertTerms(
      db,
      'book',
      books.map((id, index) => ({
        id,
        fields: { authors: did(index).map((role) => ({ name: 'Ann', role })) },
        hadAny: false,
      })),
      new Date(),
    ),
  )
  const { id } = await db.read.selectFrom('term').select('id').where('kind', '=', 'person').executeTakeFirstOrThrow()
  const roles = await selectRoles(db.read, everybody, everywhere, [id])
  expect(roles.map(({ role }) => role)).toEqual(['artist', 'letterer', 'writer'])
  expect(await selectRoles(db.read, everybody, everywhere, undefined)).toEqual(roles)

  const questions = viewers.flatMap((viewer) => [
    statementsOf((db) => selectRoles(db, viewer, everywhere, [id])),
    statementsOf((db) => selectRoles(db, viewer, everywhere, undefined)),
  ])
  const statements = (await Promise.all(questions)).flat()
  expect(await wholesaleSteps(config.database, statements)).toEqual([])
})

/** Steps that read more of what people have done than one role of one of them at a time. */
const wholesaleSteps = async (address: DatabaseAddress, statements: readonly CompiledQuery[]): Promise<string[]> => {
  if (address.kind === 'postgres') {
    const plans = await plansOfMillion(address.url, statements)
    return plans.flatMap(({ slow }) => slow.filter((step) => !step.startsWith('Sort')))
  }
  const plans = await plansOf(address, statements)
  const ways = plans
    .flatMap(({ steps }) => steps)
    .filter((step) => /^(?:SCAN|SEARCH) (?:book|series)(?:_term)?\b(?! EXISTS)/.test(step))
  const allowedStep = /^SEARCH .*(?:COVERING INDEX \w+_by_role|INDEX \w+ \((?:series_)?id=\?(?: AND state=\?)?\))/
  return ways.length === 0 ? ['nothing'] : ways.filter((step) => !allowedStep.test(step))
}
