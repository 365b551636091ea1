import * as api from '@carrel/api/doors'
import type { Endpoint } from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { cachedAnswers } from '../../../catalogue/visibility/visibility.ts'
import { serveCached } from '../../../http/serve.ts'
import { compatViewerOf, pageServing } from '../catalogue/serve-page.ts'
import type { Parameters } from '../conditions/parameters.ts'
import {
  ageRatingsOf,
  authorNamesOf,
  authorRolesOf,
  authorsOf,
  firstYearsOf,
  genresOf,
  type TermsRequest,
  namesOf,
  sharingLabelsOf,
  spelledOf,
  tagsOf,
} from './terms.ts'

type Find<Item> = (request: TermsRequest) => Promise<Item[]>

const keptMax = 32

/** Lists can be narrowed by these: as a whole, and a page at a time. */
export const compatTermRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context
  const readViewer = compatViewerOf(context)
  const cachedTerms = cachedAnswers<unknown[]>(db, keptMax)
  const all = <Item, Input>(endpoint: Endpoint<Input, Item[], Item[]>, find: Find<Item>) =>
    serveCached(app, endpoint as Endpoint<unknown, Item[], Item[]>, async (input) => {
      const compatViewer = await readViewer(input)
      const query = input.request.query as Parameters
      const key = `${compatViewer.spelling.name} ${input.request.url}`
      return (await cachedTerms(compatViewer.viewer, key, () => find({ db, compatViewer, query }))) as Item[]
    })
  all(api.listCompatGenres, genresOf)
  all(api.listCompatTags, (request) => namesOf(request, 'tag', ['series', 'book']))
  all(api.listCompatSeriesTags, (request) => namesOf(request, 'tag', ['series']))
  all(api.listCompatBookTags, (request) => namesOf(request, 'tag', ['book']))
  all(api.listCompatPublishers, (request) => spelledOf(request, 'publisher'))
  all(api.listCompatLanguages, (request) => spelledOf(request, 'language'))
  all(api.listCompatAgeRatings, ageRatingsOf)
  all(api.listCompatReleaseDates, firstYearsOf)
  all(api.listCompatSharingLabels, sharingLabelsOf)
  all(api.listCompatAuthors, authorsOf)
  all(api.listCompatAuthorNames, authorNamesOf)
  all(api.listCompatAuthorRoles, authorRolesOf)
  pageRoutes(app, context)
}

const pageRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context
  const page = pageServing(app, context)
  const paged =
    <Item>(find: Find<Item>) =>
    async ({ compatViewer, query }: Omit<TermsRequest, 'db'>) => {
      const items = await find({ db, compatViewer, query })
      return {
        total: items.length,
        isSorted: false,
        items: async ({ offset, limit }: { offset: number; limit: number }) => items.slice(offset, offset + limit),
      }
    }
  page(api.pageCompatAuthors, paged(authorsOf))
  page(api.pageCompatAuthorNames, paged(authorNamesOf))
  page(api.pageCompatAuthorRoles, paged(authorRolesOf))
  page(api.pageCompatGenres, paged(genresOf))
  page(api.pageCompatTags, paged(tagsOf))
  page(
    api.pageCompatPublishers,
    paged((request) => spelledOf(request, 'publisher')),
  )
  page(
    api.pageCompatLanguages,
    paged((request) => spelledOf(request, 'language')),
  )
  page(api.pageCompatAgeRatings, paged(ageRatingsOf))
  page(api.pageCompatSharingLabels, paged(sharingLabelsOf))
  page(api.pageCompatReleaseYears, paged(firstYearsOf))
}
