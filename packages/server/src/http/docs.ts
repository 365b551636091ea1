import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { refuseOthersAt } from './edge.ts'

const page = (base: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Carrel: API reference</title>
<link rel="stylesheet" href="${base}/api/docs/swagger-ui.css">
</head>
<body>
<div id="reference" data-document="${base}/api/openapi.json"></div>
<script src="${base}/api/docs/swagger-ui-bundle.js"></script>
<script src="${base}/api/docs/start.js"></script>
</body>
</html>
`

const startScript = `const place = document.getElementById('reference')
SwaggerUIBundle({ domNode: place, url: place.dataset.document, deepLinking: true, docExpansion: 'none', displayRequestDuration: true, validatorUrl: null })
`

const libraryFiles = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** The interactive reference, from our own files: it works without internet. */
export const serveDocs = (app: FastifyInstance, basePath: string): void => {
  const files = new Map<string, Promise<Buffer>>()
  const fileOf = (name: string): Promise<Buffer> => {
    const known = files.get(name)
    if (known) return known
    const read = readFile(join(libraryFolder(), name))
    files.set(name, read)
    return read
  }
  const serveAt = (url: string, type: string, read: () => string | Promise<Buffer>): void => {
    app.get(url, { config: { surface: 'docs' } }, async (_, reply) =>
      reply
        .type(type)
        .header('cache-control', 'no-cache')
        .send(await read()),
    )
    refuseOthersAt(app, url, ['GET', 'HEAD', 'OPTIONS'])
  }
  serveAt('/api/docs', 'text/html; charset=utf-8', () => page(basePath))
  serveAt('/api/docs/start.js', 'text/javascript; charset=utf-8', () => startScript)
  for (const [name, type] of Object.entries(libraryFiles)) serveAt(`/api/docs/${name}`, type, () => fileOf(name))
}

const libraryFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static')
