import * as api from '@carrel/api/doors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import {
  keepFile,
  type KoreaderFile,
  listFolder,
  makeFolder,
  readFile,
  removeFile,
} from '../../features/koreader/koreader.ts'
import { nothingToSend } from '../../http/files/in-parts.ts'
import { bindMedia } from '../../http/files/media.ts'
import { namesEtag } from '../../http/reply/reply-schema.ts'
import { serve } from '../../http/serve.ts'
import { AppError } from '../../platform/errors.ts'

/** The door speaks only as much of WebDAV as KOReader does. */
export const webdavRoutes = (app: FastifyInstance, { db, clock, config }: Context): void => {
  const list = async (userId: string, path: string, { depth, reply }: { depth: unknown; reply: FastifyReply }) => {
    const [own, ...inside] = await listFolder(db.read, userId, path)
    const files = own && depth !== '0' ? [own, ...inside] : own ? [own] : []
    reply.code(207).type('application/xml; charset=utf-8').header('cache-control', 'no-store')
    return reply.send(multistatus(files, `${config.basePath}/koreader/webdav`))
  }
  bindMedia(app, api.listKoreaderFolder, ({ caller }, { headers }, reply) =>
    list(caller.userId, '', { depth: headers.depth, reply }),
  )
  bindMedia(app, api.listKoreaderPath, ({ caller, params }, { headers }, reply) =>
    list(caller.userId, pathIn(params), { depth: headers.depth, reply }),
  )
  serve(app, api.makeKoreaderFolder, ({ caller, params }) => makeFolder(db, caller.userId, params.path, clock()))
  bindMedia(app, api.readKoreaderFile, async ({ caller, params }, { headers, method }, reply) => {
    const { bytes, etag, modified_at } = await readFile(db.readSlowly, caller.userId, pathIn(params))
    reply.headers({
      etag: `"${etag}"`,
      'last-modified': new Date(modified_at).toUTCString(),
      'cache-control': 'private, no-cache',
      'content-disposition': 'attachment',
    })
    const ifNoneMatch = headers['if-none-match']
    if (ifNoneMatch !== undefined && namesEtag(ifNoneMatch, `"${etag}"`)) return reply.code(304).send()
    reply.type('application/octet-stream').header('content-length', bytes.length)
    return reply.send(method === 'HEAD' ? nothingToSend() : bytes)
  })
  serve(app, api.saveKoreaderFile, async ({ caller, params, body, request: { headers }, reply }) => {
    const requireKnown = (etag: string | undefined): void => {
      const expected = headers['if-match']
      const isOther = expected !== undefined && (etag === undefined || !namesEtag(expected, `"${etag}"`))
      if (isOther || (headers['if-none-match'] === '*' && etag !== undefined))
        throw new AppError('precondition_failed', 'The file has changed since. Read it again first.')
    }
    const bytes = Buffer.from(body)
    const { etag, isNew } = await keepFile(db, caller.userId, { path: params.path, bytes, requireKnown, now: clock() })
    reply.header('etag', `"${etag}"`).code(isNew ? 201 : 204)
    return undefined
  })
  serve(app, api.deleteKoreaderFile, ({ caller, params }) => removeFile(db, caller.userId, params.path))
}

const pathIn = (params: unknown): string => (params as { readonly path: string }).path

/** The elements have prefixes, because KOReader looks for them. */
const multistatus = (files: readonly KoreaderFile[], base: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<d:multistatus xmlns:d="DAV:">${files
    .map((file) => responseOf(file, base))
    .join('')}</d:multistatus>`

const responseOf = ({ path, isFolder, size, etag, modifiedAt }: KoreaderFile, base: string): string => {
  const steps = path === '' ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`
  const name = path.split('/').at(-1) || 'webdav'
  const kind = isFolder
    ? '<d:resourcetype><d:collection/></d:resourcetype>'
    : `<d:resourcetype/><d:getcontentlength>${size}</d:getcontentlength><d:getetag>"${etag}"</d:getetag>`
  return [
    `<d:response><d:href>${base}${steps}${isFolder ? '/' : ''}</d:href><d:propstat><d:prop>`,
    `<d:displayname>${escaped(name)}</d:displayname>${kind}`,
    `<d:getlastmodified>${new Date(modifiedAt).toUTCString()}</d:getlastmodified>`,
    '</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>',
  ].join('')
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
