import { type PersonDetail, workedWithMax } from '@carrel/api'
import { termKey } from '../../catalogue/terms/terms.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import { countByRole, countWithTerms, selectTermByKey, selectWorkedWith } from './queries.ts'

/** Somebody with what they made, as far as this viewer sees it; whoever made nothing of that does not exist. */
export const readPerson = async (db: ReadDb, viewer: Viewer, name: string): Promise<PersonDetail> => {
  const term = await selectTermByKey(db, 'person', termKey(name))
  if (!term) throw notFound('person')
  const counts = await countWithTerms(db, viewer, [term.id])
  const [seriesCount, bookCount] = [counts.series.get(term.id)?.count ?? 0, counts.books.get(term.id)?.count ?? 0]
  if (seriesCount + bookCount === 0) throw notFound('person')
  const others = await selectWorkedWith(db, viewer, term.id, workedWithMax)
  return {
    id: term.id,
    name: term.name,
    seriesCount,
    bookCount,
    roles: rolesFrom(await countByRole(db, viewer, term.id)),
    workedWith: others.map(({ name, count }) => ({ name, seriesCount: count })),
  }
}

type Role = PersonDetail['roles'][number]

/** A role that is written in two ways is one. */
const rolesFrom = ({ series, books }: Awaited<ReturnType<typeof countByRole>>): Role[] => {
  const roles = new Map<string, Role>()
  const add = (role: string, counts: Pick<Role, 'seriesCount' | 'bookCount'>): void => {
    const key = role.toLowerCase()
    const before = roles.get(key) ?? { role: key, seriesCount: 0, bookCount: 0 }
    const seriesCount = before.seriesCount + counts.seriesCount
    roles.set(key, { role: key, seriesCount, bookCount: before.bookCount + counts.bookCount })
  }
  for (const { role, count } of series) add(role, { seriesCount: count, bookCount: 0 })
  for (const { role, count } of books) add(role, { seriesCount: 0, bookCount: count })
  const weight = ({ seriesCount, bookCount }: Role): number => seriesCount * 1000 + bookCount
  return [...roles.values()].toSorted((one, other) => weight(other) - weight(one) || (one.role < other.role ? -1 : 1))
}
