import { Readable } from 'node:stream'
import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { contentDisposition } from '../../http/files/content-disposition.ts'
import { bindMedia } from '../../http/files/media.ts'
import { serve, serveList } from '../../http/serve.ts'
import {
  changeAnnotation,
  changeBookmark,
  createAnnotation,
  createBookmark,
  listMarks,
  removeMark,
} from './annotations.ts'
import { annotationsAsJson, annotationsAsMarkdown } from './export.ts'

export const annotationRoutes = (app: FastifyInstance, { db, clock, viewerOf }: Context): void => {
  type At = { readonly caller: Parameters<typeof viewerOf>[0]; readonly params: { readonly id: string } }
  const atBook = async ({ caller, params }: At) => ({ viewer: await viewerOf(caller), bookId: params.id })

  serveList(app, api.listBookmarks, async (request) =>
    listMarks(db.readSlowly, 'bookmark', await atBook(request), request.paging),
  )
  serve(app, api.createBookmark, async (request) => createBookmark(db, await atBook(request), request.body, clock()))
  serve(app, api.updateBookmark, async (request) => {
    const { params, body: patch, expectMatch } = request
    return changeBookmark(db, await atBook(request), { id: params.bookmarkId, patch, now: clock(), expectMatch })
  })
  serve(app, api.deleteBookmark, async (request) =>
    removeMark(db, 'bookmark', await atBook(request), request.params.bookmarkId),
  )
  serveList(app, api.listAnnotations, async (request) =>
    listMarks(db.readSlowly, 'annotation', await atBook(request), request.paging),
  )
  serve(app, api.createAnnotation, async (request) =>
    createAnnotation(db, await atBook(request), request.body, clock()),
  )
  serve(app, api.updateAnnotation, async (request) => {
    const { params, body: patch, expectMatch } = request
    return changeAnnotation(db, await atBook(request), { id: params.annotationId, patch, now: clock(), expectMatch })
  })
  serve(app, api.deleteAnnotation, async (request) =>
    removeMark(db, 'annotation', await atBook(request), request.params.annotationId),
  )
  bindMedia(app, api.exportAnnotations, async ({ caller, query }, _, reply) => {
    const { format = 'json' } = query as { format?: 'json' | 'md' }
    const viewer = await viewerOf(caller)
    const text =
      format === 'md' ? annotationsAsMarkdown(db.readSlowly, viewer) : annotationsAsJson(db.readSlowly, viewer)
    return reply
      .headers({
        'content-type': format === 'md' ? 'text/markdown; charset=utf-8' : 'application/json; charset=utf-8',
        'content-disposition': contentDisposition('attachment', `annotations.${format}`),
        'cache-control': 'private, no-store',
      })
      .send(Readable.from(text))
  })
}
