import * as door from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import {
  listCovers,
  removeCover,
  requirePictured,
  selectOne,
  uploadCover,
  uploadedPicture,
} from '../../../features/covers/covers.ts'
import { serveMedia } from '../../../http/files/media.ts'
import { serve, type HandlerContext } from '../../../http/serve.ts'
import { requireId, spellingOf } from '../spelling.ts'
import type { CompatDependencies } from '../dependencies.ts'
import { toCompatCover } from './cover-record.ts'

type From = Pick<HandlerContext, 'caller' | 'request'>
type Kind = 'book' | 'series'
interface OneCover {
  readonly params: { readonly id: string; readonly coverId: string }
}

/** Editors choose the picture of a book or a series through these routes. */
export const compatCoverRoutes = (app: FastifyInstance, context: Context, { covers }: CompatDependencies): void => {
  const { db, viewerOf, settings } = context
  const entity = (kind: Kind, id: string) => ({ kind, id: requireId(id, kind) }) as const

  const list = async (kind: Kind, { caller, request }: From, id: string) => {
    const listed = await listCovers(covers, await viewerOf(caller), entity(kind, id))
    const { outId } = spellingOf(request, settings)
    return listed.map((cover) => toCompatCover(cover, outId))
  }
  const upload = async (kind: Kind, { caller, request }: From, id: string, body: Uint8Array) => {
    const picture = uploadedPicture(Buffer.from(body), request.headers['content-type'] ?? '')
    const cover = await uploadCover(covers, await viewerOf(caller), entity(kind, id), picture)
    return toCompatCover(cover, spellingOf(request, settings).outId)
  }
  const select = async (kind: Kind, { caller }: Pick<From, 'caller'>, { params }: OneCover) => {
    await selectOne(covers, await viewerOf(caller), entity(kind, params.id), requireId(params.coverId, 'cover'))
    return undefined
  }
  const remove = async (kind: Kind, { caller }: Pick<From, 'caller'>, { params }: OneCover) => {
    await removeCover(covers, await viewerOf(caller), entity(kind, params.id), requireId(params.coverId, 'cover'))
    return undefined
  }
  const read = async (kind: Kind, { caller }: Pick<From, 'caller'>, { params }: OneCover) => {
    const one = entity(kind, params.id)
    await requirePictured(db.read, await viewerOf(caller), one)
    return covers.reading.one(one.id, requireId(params.coverId, 'cover'), {})
  }

  const idOut = ({ request }: From, id: string): string => spellingOf(request, settings).outId(requireId(id, 'cover'))
  serve(app, door.listCompatBookCovers, async ({ params, ...from }) =>
    (await list('book', from, params.id)).map((cover) => ({ ...cover, bookId: idOut(from, params.id) })),
  )
  serve(app, door.listCompatSeriesCovers, async ({ params, ...from }) =>
    (await list('series', from, params.id)).map((cover) => ({ ...cover, seriesId: idOut(from, params.id) })),
  )
  serve(app, door.uploadCompatBookCover, async ({ params, body, ...from }) => ({
    ...(await upload('book', from, params.id, body)),
    bookId: idOut(from, params.id),
  }))
  serve(app, door.uploadCompatSeriesCover, async ({ params, body, ...from }) => ({
    ...(await upload('series', from, params.id, body)),
    seriesId: idOut(from, params.id),
  }))
  serve(app, door.selectCompatBookCover, (input) => select('book', input, input))
  serve(app, door.selectCompatSeriesCover, (input) => select('series', input, input))
  serve(app, door.deleteCompatBookCover, (input) => remove('book', input, input))
  serve(app, door.deleteCompatSeriesCover, (input) => remove('series', input, input))
  serveMedia(app, door.readCompatBookCover, (input) => read('book', input, input))
  serveMedia(app, door.readCompatSeriesCover, (input) => read('series', input, input))
}
