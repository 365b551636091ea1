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

const parameterNames = {
  libraryId: 'library_id',
  collectionId: 'collection_id',
  seriesId: 'series_id',
  readListId: 'readlist_id',
} as const

/** It reads from the address on which series or books the names must stand. */
const withinOf = async ({ db, compatViewer: { viewer }, query }: TermsRequest): Promise<Within> => {
  const fields = Object.keys(parameterNames) as (keyof typeof parameterNames)[]
  const options: CompatCondition = {
    allOf: fields.flatMap((field) => anyOf(idsIn(query, parameterNames[field]).map((id) => equal(field, id)))),
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
export const namesOf = async (request: TermsRequest, kind: TermKind, parts: readonly Part[]): Promise<string[]> => {
  const { db, compatViewer } = request
  const within = await withinOf(request)
  const terms = await selectTerms(db.readSlowly, compatViewer.viewer, { kind, parts, within }, compatNamesMax)
  return terms.map(({ name }) => name)
}

const everywhere = ['series', 'book'] as const

export const genresOf = (request: TermsRequest): Promise<string[]> => namesOf(request, 'genre', ['series'])

/** `include` says of what. */
export const tagsOf = (request: TermsRequest): Promise<string[]> => {
  const included = listIn(request.query, 'include').map((each) => each.toUpperCase())
  const parts = everywhere.filter((part) => included.includes(part === 'series' ? 'SERIES' : 'BOOKS'))
  return namesOf(request, 'tag', parts.length === 0 ? everywhere : parts)
}

export const spelledOf = async (request: TermsRequest, column: 'publisher' | 'language'): Promise<string[]> =>
  selectSpelled(request.db.readSlowly, request.compatViewer.viewer, column, {
    within: await withinOf(request),
    limit: compatNamesMax,
  })

/** `None` is what they call that there is none. */
export const ageRatingsOf = async (request: TermsRequest): Promise<string[]> => {
  const ratings = await selectAgeRatings(request.db.readSlowly, request.compatViewer.viewer, await withinOf(request))
  const ratingTexts = ratings.filter((rating) => rating !== null).map(String)
  return ratings.includes(null) ? ['None', ...ratingTexts] : ratingTexts
}

export const firstYearsOf = async (request: TermsRequest): Promise<string[]> =>
  selectFirstYears(request.db.readSlowly, request.compatViewer.viewer, await withinOf(request))

export const sharingLabelsOf = async (request: TermsRequest): Promise<string[]> =>
  request.compatViewer.viewer.seesPaths
    ? selectSharingTags(request.db.readSlowly, request.compatViewer.viewer, await withinOf(request))
    : []

/** Authors are sorted by name; somebody with several roles is listed once for each. */
export const authorsOf = async (request: TermsRequest): Promise<CompatAuthor[]> => {
  const { db, compatViewer, query } = request
  const { viewer, spelling } = compatViewer
  const within = await withinOf(request)
  const terms = await selectTerms(db.readSlowly, viewer, { kind: 'person', parts: everywhere, within }, compatNamesMax)
  const ids = terms.map(({ id }) => id)
  const roles = Map.groupBy(
    ids.length === 0 ? [] : await selectRoles(db.readSlowly, viewer, within, ids),
    ({ term_id }) => term_id,
  )
  const requestedRoles = listIn(query, 'role').map((role) => role.toLowerCase())
  return terms
    .flatMap(({ id, name }) => spelling.authors((roles.get(id) ?? []).map(({ role }) => ({ name, role }))))
    .filter(({ role }) => requestedRoles.length === 0 || requestedRoles.includes(role.toLowerCase()))
}

export const authorNamesOf = async (request: TermsRequest): Promise<string[]> => [
  ...new Set((await authorsOf(request)).map(({ name }) => name)),
]

export const authorRolesOf = async (request: TermsRequest): Promise<string[]> => {
  const { db, compatViewer } = request
  const roleRows = await selectRoles(db.readSlowly, compatViewer.viewer, await withinOf(request), undefined)
  const people = compatViewer.spelling.authors(roleRows.map(({ role }) => ({ name: '', role })))
  return people.map(({ role }) => role).toSorted()
}
