import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import { refuseOthersAt } from './edge.ts'
import { securityHeaders } from './security-headers.ts'

/** The web app as the build left it. */
export interface WebApp {
  readonly folder: string
  /** The one page, which every address of the app answers with. */
  readonly page: { readonly plain: Buffer; readonly packed: Buffer; readonly etag: string }
  /** By name: scripts, style sheets and pictures, each with the hash of its content in its name, and packed forms of them. */
  readonly files: ReadonlySet<string>
}

const builtFolder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/web/' : './web/', import.meta.url),
)

/** Undefined when it has not been built: a server run from its sources answers the API alone. */
export const findWebApp = (basePath: string, folder = builtFolder): WebApp | undefined => {
  try {
    const html = readFileSync(join(folder, 'index.html'), 'utf8')
    return { folder, page: pageAt(basePath, html), files: new Set(readdirSync(join(folder, 'assets'))) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The build knows no base path: it is written in here. */
const pageAt = (basePath: string, html: string): WebApp['page'] => {
  const placed = html
    .replaceAll(/(src|href)="\.\//g, `$1="${basePath}/`)
    .replace('name="carrel-base" content=""', `name="carrel-base" content="${basePath}"`)
  const plain = Buffer.from(placed)
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 16)
  return { plain, packed: brotliCompressSync(plain), etag: `W/"${hash}"` }
}

/** These belong to machines: what is not there is an error in JSON, never a page. */
const machines = /^\/(api|media|opds|koreader|komga|health|metrics|assets|docs)(\/|$)/

/** Whether a request that no route takes is one of a browser for a page of the app. */
export const wantsPage = ({ method, url, headers }: FastifyRequest): boolean => {
  const path = url.split('?')[0] ?? ''
  if ((method !== 'GET' && method !== 'HEAD') || machines.test(path)) return false
  // No page has a dot in its address: who asks for one wants a file.
  if (path.includes('.') || !path.startsWith('/')) return false
  const { accept } = headers
  return accept === undefined || accept.includes('text/html') || accept.includes('*/*')
}

export const sendPage = ({ page }: WebApp, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  reply.headers(securityHeaders('app')).header('cache-control', 'no-cache').header('etag', page.etag)
  reply.header('vary', 'Accept-Encoding')
  if (request.headers['if-none-match']?.includes(page.etag) === true) return reply.code(304).send()
  reply.type('text/html; charset=utf-8')
  if (!packingsOf(request).includes('br')) return reply.send(page.plain)
  return reply.header('content-encoding', 'br').send(page.packed)
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  woff2: 'font/woff2',
  png: 'image/png',
  wasm: 'application/wasm',
}

/** The files of the app, which change their name when they change: a browser asks for each once. */
export const serveWebFiles = (app: FastifyInstance, { folder, files }: WebApp): void => {
  // A few hundred kilobytes in all, and those only once somebody has opened the app.
  const contents = new Map<string, Promise<Buffer>>()
  const contentOf = (name: string): Promise<Buffer> => {
    const known = contents.get(name)
    if (known) return known
    const read = readFile(join(folder, 'assets', name))
    contents.set(name, read)
    read.catch(() => contents.delete(name))
    return read
  }
  const url = '/assets/:name'
  app.get<{ Params: { name: string } }>(url, { config: { surface: 'app' } }, async (request, reply) => {
    const { name } = request.params
    if (!files.has(name) || /\.(br|gz)$/.test(name)) throw new AppError('not_found', 'There is no such file.')
    const packing = packingsOf(request).find((each) => files.has(name + endings[each]))
    reply.type(types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
    reply.header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'Accept-Encoding')
    if (packing === undefined) return reply.send(await contentOf(name))
    return reply.header('content-encoding', packing).send(await contentOf(name + endings[packing]))
  })
  refuseOthersAt(app, url, ['GET', 'HEAD', 'OPTIONS'])
}

const endings = { br: '.br', gzip: '.gz' } as const
type Packing = keyof typeof endings

/** The packings a browser takes, the better first. What it gives no weight it does not want. */
const packingsOf = ({ headers }: FastifyRequest): readonly Packing[] => {
  const taken = (headers['accept-encoding'] ?? '')
    .toString()
    .split(',')
    .filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
    .map((each) => each.split(';')[0]?.trim())
  return (['br', 'gzip'] as const).filter((each) => taken.includes(each))
}
