import type { CoverDto } from '@carrel/api'
import * as door from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import {
  announceOtherPicture,
  type ListKind,
  listViewerFor,
  readList,
} from '../../../catalogue/member-lists/member-lists.ts'
import { collections } from '../../../features/collections/collections.ts'
import {
  listListCovers,
  type PicturedList,
  removeListCover,
  selectOneOfList,
  startRemakingCovers,
  uploadListCover,
  uploadedPicture,
} from '../../../features/covers/covers.ts'
import { downloadReadList } from '../../../features/files/files.ts'
import { readLists } from '../../../features/read-lists/read-lists.ts'
import { serveDownload } from '../../../http/files/download.ts'
import { serveMedia } from '../../../http/files/media.ts'
import { serve, type HandlerContext } from '../../../http/serve.ts'
import { toCompatCover } from '../contents/cover-record.ts'
import { requireId, spellingOf } from '../spelling.ts'
import type { CompatDependencies } from '../dependencies.ts'

type From = Pick<HandlerContext, 'caller' | 'request'>
interface OneCover extends From {
  readonly params: { readonly id: string; readonly coverId: string }
}
interface Upload extends From {
  readonly params: { readonly id: string }
  readonly body: Uint8Array
  readonly query: { readonly selected?: string | string[] | undefined }
}

/** The pictures that people give collections and read lists, and read lists as a file. */
export const compatListCoverRoutes = (
  app: FastifyInstance,
  context: Context,
  dependencies: CompatDependencies,
): void => {
  const { db, clock, viewerOf } = context
  collectionRoutes(app, context, dependencies)
  readListRoutes(app, context, dependencies)
  serveDownload(app, door.downloadCompatReadList, async ({ caller, params }) => {
    const viewer = await viewerOf(caller)
    const list = await readList(db.read, listViewerFor(readLists, viewer, false), requireId(params.id, 'read list'))
    return downloadReadList({ db, ...dependencies }, viewer, list, caller.downloadMetadata)
  })
  serve(app, door.remakeCompatCovers, async () => {
    await db.write((db) => startRemakingCovers(db, clock()))
    return undefined
  })
}

const collectionRoutes = (app: FastifyInstance, context: Context, { covers }: CompatDependencies): void => {
  const { list, upload, select, remove, read } = coversOf(context, { covers }, collections)
  const named = ({ id, ...cover }: Shown) => ({ ...cover.shown, collectionId: id })
  serve(app, door.listCompatCollectionCovers, async (input) => (await list(input, input.params.id)).map(named))
  serve(app, door.uploadCompatCollectionCover, async (input) => named(await upload(input)))
  serve(app, door.selectCompatCollectionCover, select)
  serve(app, door.deleteCompatCollectionCover, remove)
  serveMedia(app, door.readCompatCollectionCover, read)
}

const readListRoutes = (app: FastifyInstance, context: Context, { covers }: CompatDependencies): void => {
  const { list, upload, select, remove, read } = coversOf(context, { covers }, readLists)
  const named = ({ id, ...cover }: Shown) => ({ ...cover.shown, readListId: id })
  serve(app, door.listCompatReadListCovers, async (input) => (await list(input, input.params.id)).map(named))
  serve(app, door.uploadCompatReadListCover, async (input) => named(await upload(input)))
  serve(app, door.selectCompatReadListCover, select)
  serve(app, door.deleteCompatReadListCover, remove)
  serveMedia(app, door.readCompatReadListCover, read)
}

interface Shown {
  /** It is the id of the list, as the application spells it. */
  readonly id: string
  readonly shown: ReturnType<typeof toCompatCover>
}

const coversOf = (
  { settings, db, viewerOf }: Context,
  { covers }: Pick<CompatDependencies, 'covers'>,
  kind: ListKind,
) => {
  const find = async ({ caller }: From, givenId: string): Promise<PicturedList> => {
    const listViewer = listViewerFor(kind, await viewerOf(caller), caller.permissions.has(kind.mayChange))
    const id = requireId(givenId, kind.name)
    return {
      kind: kind.table,
      id,
      requireSeen: (db) => readList(db, listViewer, id),
      announceChange: (db, now) => announceOtherPicture(db, listViewer, id, now),
    }
  }
  const shownFor = ({ request }: From, { id }: PicturedList) => {
    const { outId } = spellingOf(request, settings)
    return (cover: CoverDto): Shown => ({ id: outId(id), shown: toCompatCover(cover, outId) })
  }
  return {
    list: async (from: From, id: string): Promise<Shown[]> => {
      const list = await find(from, id)
      return (await listListCovers(covers, list)).map(shownFor(from, list))
    },
    upload: async ({ params, body, query, ...from }: Upload): Promise<Shown> => {
      const list = await find(from, params.id)
      const picture = uploadedPicture(Buffer.from(body), from.request.headers['content-type'] ?? '')
      const isSelected = [query.selected].flat()[0] !== 'false'
      const cover = await uploadListCover(covers, list, picture, { byUserId: from.caller.userId, isSelected })
      return shownFor(from, list)(cover)
    },
    select: async ({ params, ...from }: OneCover): Promise<undefined> =>
      selectOneOfList(covers, await find(from, params.id), requireId(params.coverId, 'cover')),
    remove: async ({ params, ...from }: OneCover): Promise<undefined> =>
      removeListCover(covers, await find(from, params.id), requireId(params.coverId, 'cover')),
    read: async ({ params, ...from }: OneCover) => {
      const list = await find(from, params.id)
      await list.requireSeen(db.read)
      return covers.reading.one(list.id, requireId(params.coverId, 'cover'), {})
    },
  }
}
