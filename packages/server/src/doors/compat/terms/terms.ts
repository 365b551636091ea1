import { compatNamesMax, type CompatAuthor } from '@carrel/api/doors'
import type { RawBuilder } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { collectionsBehind } from '../../../features/collections/collections.ts'
import { idsIn, listIn, firstIn, type Parameters } from '../conditions/parameters.ts'
import { holds } from '../conditions/queries.ts'
import { anyOf, equal, idsNamed, type CompatCondition } from '../conditions/list-options.ts'
import type { CompatViewer } from '../records/series-record.ts'
import {
  selectAgeRatings,
  selectFirstYears,
  selectRoles,
  selectSharingTags,
  selectSpelled,
  selectTerms,
  type TermKind,
  type Within,
} from './queries.ts'

export interface TermsRequest {
  readonly db: Pick<Database, 'read' | 'readSlowly'>
  readonly compatViewer: CompatViewer
  readonly query: Parameters
}

const placesIn = {
  libraryId: 'library_id',
  collectionId: 'collection_id',
  seriesId: 'series_id',
  readListId: 'readlist_id',
} as const

/** It reads from the address on which series or books the names must stand. */
const withinOf = async ({ db, compatViewer: { viewer }, query }: TermsRequest): Promise<Within> => {
  const fields = Object.keys(placesIn) as (keyof typeof placesIn)[]
  const options: CompatCondition = {
    allOf: fields.flatMap((field) => anyOf(idsIn(query, placesIn[field]).map((id) => equal(field, id)))),
  }
  const collections = idsNamed(options, 'collectionId')
  const automatic: ReadonlyMap<string, RawBuilder<boolean>> = collections.length === 0
    ? new Map()
    : await collectionsBehind(db.read, viewer, collections)
  return {
    series: holds(options, { target: 'series', viewer, automatic }),
    books: holds(options, { target: 'books', viewer, automatic }),
    search: firstIn(query, 'search'),
  }
}

type Part = 'series' | 'book'

/** Names are sorted, and there are no more than anybody looks through. */
export const namesOf = async (look: TermsRequest, kind: TermKind, parts: readonly Part[]): Promise<string[]> => {
  const { db, compatViewer } = look
  const within = await withinOf(look)
  const terms = await selectTerms(db.readSlowly, compatViewer.viewer, { kind, parts, within }, compatNamesMax)
  return terms.map(({ name }) => name)
}

const everywhere = ['series', 'book'] as const

export const genresOf = (look: TermsRequest): Promise<string[]> => namesOf(look, 'genre', ['series'])

/** `include` says of what. */
export const tagsOf = (look: TermsRequest): Promise<string[]> => {
  const included = listIn(look.query, 'include').map((each) => each.toUpperCase())
  const parts = everywhere.filter((part) => included.includes(part === 'series' ? 'SERIES' : 'BOOKS'))
  return namesOf(look, 'tag', parts.length === 0 ? everywhere : parts)
}

export const spelledOf = async (look: TermsRequest, column: 'publisher' | 'language'): Promise<string[]> =>
  selectSpelled(look.db.readSlowly, look.compatViewer.viewer, column, {
    within: await withinOf(look),
    limit: compatNamesMax,
  })

/** `None` is what they call that there is none. */
export const ageRatingsOf = async (look: TermsRequest): Promise<string[]> => {
  const ratings = await selectAgeRatings(look.db.readSlowly, look.compatViewer.viewer, await withinOf(look))
  const known = ratings.filter((rating) => rating !== null).map(String)
  return ratings.includes(null) ? ['None', ...known] : known
}

export const firstYearsOf = async (look: TermsRequest): Promise<string[]> =>
  selectFirstYears(look.db.readSlowly, look.compatViewer.viewer, await withinOf(look))

export const sharingLabelsOf = async (look: TermsRequest): Promise<string[]> =>
  look.compatViewer.viewer.seesPaths
    ? selectSharingTags(look.db.readSlowly, look.compatViewer.viewer, await withinOf(look))
    : []

/** Authors are sorted by name; somebody with several roles is listed once for each. */
export const authorsOf = async (look: TermsRequest): Promise<CompatAuthor[]> => {
  const { db, compatViewer, query } = look
  const { viewer, spelling } = compatViewer
  const within = await withinOf(look)
  const terms = await selectTerms(db.readSlowly, viewer, { kind: 'person', parts: everywhere, within }, compatNamesMax)
  const ids = terms.map(({ id }) => id)
  const roles = Map.groupBy(
    ids.length === 0 ? [] : await selectRoles(db.readSlowly, viewer, within, ids),
    ({ term_id }) => term_id,
  )
  const wanted = listIn(query, 'role').map((role) => role.toLowerCase())
  return terms
    .flatMap(({ id, name }) => spelling.authors((roles.get(id) ?? []).map(({ role }) => ({ name, role }))))
    .filter(({ role }) => wanted.length === 0 || wanted.includes(role.toLowerCase()))
}

export const authorNamesOf = async (look: TermsRequest): Promise<string[]> => [
  ...new Set((await authorsOf(look)).map(({ name }) => name)),
]

export const authorRolesOf = async (look: TermsRequest): Promise<string[]> => {
  const { db, compatViewer } = look
  const said = await selectRoles(db.readSlowly, compatViewer.viewer, await withinOf(look), undefined)
  const people = compatViewer.spelling.authors(said.map(({ role }) => ({ name: '', role })))
  return people.map(({ role }) => role).toSorted()
}
