import type { Endpoint } from '@carrel/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Download } from '../../platform/media.ts'
import { contentDisposition } from './content-disposition.ts'
import { sendInParts } from './in-parts.ts'
import { giveBackAfter } from '../reply/left.ts'
import { isNotModified } from '../reply/not-modified.ts'
import { bindMedia } from './media.ts'
import type { HandlerContext, WithQuery } from '../serve.ts'

/** Binds an endpoint that answers with a file, as a whole or in the parts asked for. */
export const serveDownload = <Input, Reply, Answer>(
  app: FastifyInstance,
  endpoint: Endpoint<Input, Reply, Answer>,
  answer: (request: WithQuery<Input> & HandlerContext) => Promise<Download>,
): void =>
  bindMedia(app, endpoint, async (checked, request, reply) => {
    const download = await answer(checked as unknown as WithQuery<Input> & HandlerContext)
    giveBackAfter(reply.raw, () => download.close())
    return sendDownload(download, request, reply)
  })

const sendDownload = (download: Download, request: FastifyRequest, reply: FastifyReply) => {
  const { etag, modifiedAt, fileName, metadata } = download
  const tag = `"${etag}"`
  reply.headers({
    etag: tag,
    'cache-control': 'private, no-cache',
    'content-disposition': contentDisposition('attachment', fileName),
    ...(modifiedAt && { 'last-modified': modifiedAt.toUTCString() }),
    ...(metadata && { 'x-carrel-metadata': metadata }),
  })
  if (isNotModified(request, { tag, modifiedAt })) return reply.code(304).send()
  return sendInParts(download, { tag, modifiedAt }, request, reply)
}
