import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { areasOf, docsPage, docsScript, docsStyle } from './docs-page.ts'

const libraryFiles = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** The interactive reference, from our own files: it works without internet. */
export const serveDocs = (app: FastifyInstance, basePath: string): void => {
  let page: string | undefined
  const files = new Map<string, Promise<Buffer>>()
  const fileOf = (name: string): Promise<Buffer> => {
    const cached = files.get(name)
    if (cached) return cached
    const read = readFile(join(libraryFolder(), name))
    files.set(name, read)
    return read
  }
  const serveAt = (url: string, type: string, read: () => string | Promise<Buffer>): void => {
    app.routes.add({
      method: 'GET',
      pattern: url,
      surface: 'docs',
      handle: async (_, reply) =>
        reply
          .type(type)
          .header('cache-control', 'no-cache')
          .send(await read()),
    })
  }
  // It is made when somebody asks for it: a start does not put 592 operations into the order of a language.
  serveAt('/api/docs', 'text/html; charset=utf-8', () => (page ??= docsPage(basePath, areasOf(app.served))))
  serveAt('/api/docs/start.css', 'text/css; charset=utf-8', () => docsStyle)
  serveAt('/api/docs/start.js', 'text/javascript; charset=utf-8', () => docsScript)
  for (const [name, type] of Object.entries(libraryFiles)) serveAt(`/api/docs/${name}`, type, () => fileOf(name))
}

const libraryFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static')
