import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pageHeaders } from '../reply/security-headers.ts'
import { codingsOf } from '../reply/compress.ts'

/** The web app as the build left it. */
export interface WebApp {
  readonly folder: string
  /** Two documents: the reader, for the addresses below `/read/`, and the app, for all the others. */
  readonly pages: { readonly app: WebPage; readonly reader: WebPage }
  /** By name: scripts, style sheets and pictures, each with the hash of its content in its name, and packed forms of them. */
  readonly files: ReadonlySet<string>
}

interface WebPage {
  readonly plain: Buffer
  /** It is made for the first browser that asks. */
  readonly packed: () => Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
}

const builtFolder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/web/' : './web/', import.meta.url),
)

/** Undefined when it has not been built: a server run from its sources answers the API alone. */
export const findWebApp = (basePath: string, folder = builtFolder): WebApp | undefined => {
  try {
    const page = (surface: 'app' | 'reader', name: string): WebPage =>
      pageAt(basePath, surface, readFileSync(join(folder, name), 'utf8'))
    const pages = { app: page('app', 'index.html'), reader: page('reader', 'read.html') }
    return { folder, pages, files: new Set(readdirSync(join(folder, 'assets'))) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The build knows no base path: it is written in here. */
const pageAt = (basePath: string, surface: 'app' | 'reader', html: string): WebPage => {
  const linked = html
    .replaceAll(/(src|href)="\.\//g, `$1="${basePath}/`)
    .replace('name="carrel-base" content=""', `name="carrel-base" content="${basePath}"`)
  const plain = Buffer.from(linked)
  const headers = pageHeaders(surface, basePath)
  // Browsers keep the policy of a page together with it: a new policy is a new page.
  const hash = createHash('sha256').update(plain).update(headers['content-security-policy']).digest('base64url')
  let packed: Buffer | undefined
  return { plain, packed: () => (packed ??= brotliCompressSync(plain)), headers, etag: `W/"${hash.slice(0, 16)}"` }
}

/** These belong to machines: what is not there is an error in JSON, never a page. */
const machines = /^\/(api|media|opds|koreader|komga|health|metrics|assets|docs|~\w+)(\/|$)/

/** These pages are called as people and genres are, such as "H. G. Wells". */
const named = /^\/(people|genres|tags)\/./

/** Whether a request that no route takes is one of a browser for a page of the app. */
export const wantsPage = ({ method, url, headers }: FastifyRequest): boolean => {
  const path = url.split('?')[0] ?? ''
  if ((method !== 'GET' && method !== 'HEAD') || machines.test(path)) return false
  // No other page has a dot in its address: who asks for one wants a file.
  if ((path.includes('.') && !named.test(path)) || !path.startsWith('/')) return false
  const { accept } = headers
  return accept === undefined || accept.includes('text/html') || accept.includes('*/*')
}

const inReader = /^\/read(?=[/?]|$)/

export const sendPage = ({ pages }: WebApp, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const page = inReader.test(request.url) ? pages.reader : pages.app
  reply.headers(page.headers).header('cache-control', 'no-cache').header('etag', page.etag)
  reply.header('vary', 'Accept-Encoding')
  if (request.headers['if-none-match']?.includes(page.etag) === true) return reply.code(304).send()
  reply.type('text/html; charset=utf-8')
  if (!codingsOf(request).includes('br')) return reply.send(page.plain)
  return reply.header('content-encoding', 'br').send(page.packed())
}
