import * as api from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Caller } from '../../../http/caller.ts'
import { serve } from '../../../http/serve.ts'
import { requireId } from '../spelling.ts'
import {
  editCompatBook,
  editCompatBooks,
  editCompatSeries,
  readBookAgain,
  readSeriesAgain,
  refuseToDelete,
} from './editing.ts'

/** Editors change series and books through these routes. */
export const compatEditingRoutes = (app: FastifyInstance, context: Context): void => {
  const { clock, viewerOf } = context
  const editing = async (caller: Caller) => ({
    ...context,
    viewer: await viewerOf(caller),
    now: clock(),
    mayMakeTags: caller.permissions.has('system:admin'),
  })
  serve(app, api.editCompatSeries, async ({ caller, params, body }) =>
    editCompatSeries(await editing(caller), requireId(params.id, 'series'), body),
  )
  serve(app, api.editCompatBook, async ({ caller, params, body }) =>
    editCompatBook(await editing(caller), requireId(params.id, 'book'), body),
  )
  serve(app, api.editCompatBooks, async ({ caller, body }) => editCompatBooks(await editing(caller), body))
  for (const endpoint of [api.analyseCompatSeries, api.refreshCompatSeries])
    serve(app, endpoint, async ({ caller, params }) =>
      readSeriesAgain(await editing(caller), requireId(params.id, 'series')),
    )
  for (const endpoint of [api.analyseCompatBook, api.refreshCompatBook])
    serve(app, endpoint, async ({ caller, params }) =>
      readBookAgain(await editing(caller), requireId(params.id, 'book')),
    )
  for (const endpoint of [api.deleteCompatSeriesFile, api.deleteCompatBookFile])
    serve(app, endpoint, async () => refuseToDelete())
}
