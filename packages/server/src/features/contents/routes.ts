import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serveMedia } from '../../http/files/media.ts'
import { leftSignal } from '../../http/reply/left.ts'
import { serve } from '../../http/serve.ts'
import { readChapters } from './chapters.ts'
import type { ContentsReading } from './contents.ts'
import { describeManifest } from './describe.ts'

export const contentsRoutes = (app: FastifyInstance, { db, viewerOf }: Context, reading: ContentsReading): void => {
  serve(app, api.readManifest, async ({ caller, params }) => {
    const viewer = await viewerOf(caller)
    return describeManifest(db.read, viewer, params.id, await reading.manifest(viewer, params.id))
  })
  serve(app, api.readPositions, async ({ caller, params }) => reading.positions(await viewerOf(caller), params.id))
  serve(app, api.readChapters, async ({ caller, params }) => readChapters(reading, await viewerOf(caller), params.id))
  serve(app, api.searchInBook, async ({ caller, params, query, reply }) => {
    const left = leftSignal(reply)
    return reading.search(await viewerOf(caller), params.id, { query: query.q, left })
  })
  serveMedia(app, api.readResource, async ({ caller, params: { id, path }, query }) =>
    reading.resource(await viewerOf(caller), { bookId: id, path, v: query.v }),
  )
}
