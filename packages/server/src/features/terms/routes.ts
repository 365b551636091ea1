import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import { readAsOfNow } from '../../catalogue/visibility/visibility.ts'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import { readPerson } from './person.ts'
import { listTerms } from './terms.ts'

export const termRoutes = (app: FastifyInstance, { db, viewerOf }: Context): void => {
  for (const [endpoint, kind] of [
    [api.listGenres, 'genre'],
    [api.listTags, 'tag'],
    [api.listPeople, 'person'],
  ] as const)
    serveList(app, endpoint, async ({ caller, query: { q }, paging }) => {
      const viewer = await viewerOf(caller)
      return readAsOfNow(db, viewer, () => listTerms(db.readSlowly, viewer, { kind, q }, paging))
    })
  serve(app, api.readPerson, async ({ caller, query: { name } }) =>
    readPerson(db.readSlowly, await viewerOf(caller), name),
  )
}
