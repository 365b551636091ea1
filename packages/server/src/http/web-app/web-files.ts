import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors.ts'
import { type Coding, codingsOf } from '../reply/compress.ts'
import type { WebApp } from './web-app.ts'

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  woff2: 'font/woff2',
  png: 'image/png',
  wasm: 'application/wasm',
}

/** The files of the app, which change their name when they change: a browser asks for each once. */
export const serveWebFiles = (app: FastifyInstance, { folder, files }: WebApp): void => {
  // A few hundred kilobytes in all, and those only once somebody has opened the app.
  const contents = new Map<string, Promise<Buffer>>()
  const contentOf = (name: string): Promise<Buffer> => {
    const cached = contents.get(name)
    if (cached) return cached
    const read = readFile(join(folder, 'assets', name))
    contents.set(name, read)
    read.catch(() => contents.delete(name))
    return read
  }
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { name = '' } = request.params as { name?: string }
    if (!files.has(name) || /\.(br|gz)$/.test(name)) throw new AppError('not_found', 'There is no such file.')
    const coding = codingsOf(request).find((each) => endings[each] !== undefined && files.has(name + endings[each]))
    reply.type(types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
    reply.header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'Accept-Encoding')
    if (coding === undefined) return reply.send(await contentOf(name))
    return reply.header('content-encoding', coding).send(await contentOf(name + endings[coding]))
  }
  app.routes.add({ method: 'GET', pattern: '/assets/:name', surface: 'app', handle })
}

/** The build has compressed them. */
const endings: Readonly<Partial<Record<Coding, string>>> = { br: '.br', gzip: '.gz' }
