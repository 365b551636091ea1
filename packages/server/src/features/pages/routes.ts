import * as api from '@carrel/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { serveMedia } from '../../http/files/media.ts'
import type { MediaLane } from '../../http/rate-limit/media-lane.ts'
import { serve } from '../../http/serve.ts'
import type { PageReading } from './pages.ts'

interface PageContext {
  readonly reading: PageReading
  readonly lane: MediaLane
}

export const pageRoutes = (app: FastifyInstance, { viewerOf }: Context, { reading, lane }: PageContext): void => {
  serve(app, api.listPages, async ({ caller, params }) => reading.list(await viewerOf(caller), params.id))
  serve(app, api.readPageText, async ({ caller, params: { id, number } }) =>
    reading.text(await viewerOf(caller), { bookId: id, number }),
  )
  serveMedia(app, api.readPage, async ({ caller, params: { id, number }, query, request }) =>
    reading.page(await viewerOf(caller), { bookId: id, number, ...query, accept: acceptOf(request) }),
  )
  serveMedia(
    app,
    api.readPagePicture,
    async ({ caller, params: { id, number }, query, request }) =>
      reading.page(await viewerOf(caller), { bookId: id, number, ...query, accept: acceptOf(request) }),
    { lane },
  )
}

const acceptOf = (request: FastifyRequest): string => request.headers.accept ?? ''
