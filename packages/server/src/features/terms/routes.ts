import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
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
    serveList(app, endpoint, async ({ caller, query: { q }, paging }) =>
      listTerms(db.readSlowly, await viewerOf(caller), { kind, q }, paging),
    )
  serve(app, api.readPerson, async ({ caller, query: { name } }) =>
    readPerson(db.readSlowly, await viewerOf(caller), name),
  )
}
