import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { search, suggest } from './search.ts'

export const searchRoutes = (app: FastifyInstance, { db, settings, viewerOf }: Context): void => {
  const asked = (text: string) => ({ text, isForgiving: settings.get('search.fuzzy.enabled') })
  serve(app, api.search, async ({ caller, query }) =>
    search(db, await viewerOf(caller), asked(query.q ?? ''), query.limit ?? api.resultsUsual),
  )
  serve(app, api.suggest, async ({ caller, query }) => suggest(db, await viewerOf(caller), asked(query.q ?? '')))
}
