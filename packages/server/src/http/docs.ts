import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { refuseOthersAt } from './edge.ts'

const page = (base: string, areas: readonly Area[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Carrel: API reference</title>
<link rel="stylesheet" href="${base}/api/docs/swagger-ui.css">
<link rel="stylesheet" href="${base}/api/docs/start.css">
</head>
<body>
<header>
<h1><a href="${base}/api/docs">Carrel: API reference</a></h1>
<p>All of it is described by <a href="${base}/api/openapi.json">openapi.json</a>. Choose an area:</p>
<nav aria-label="Areas"><ul>
${areas.map(areaLink).join('\n')}
</ul></nav>
</header>
<main id="reference" data-document="${base}/api/openapi.json"></main>
<script src="${base}/api/docs/swagger-ui-bundle.js"></script>
<script src="${base}/api/docs/start.js"></script>
</body>
</html>
`

/** The operations of one tag. */
interface Area {
  readonly tag: string
  readonly count: number
}

const areaLink = ({ tag, count }: Area): string =>
  `<li><a href="?area=${encodeURIComponent(tag)}">${tag} <small>${count}</small></a></li>`

/** All operations in one page take a browser half a minute to show. */
const startScript = `const place = document.getElementById('reference')
const named = new URLSearchParams(location.search).get('area') ?? decodeURIComponent(location.hash.split('/')[1] ?? '')
for (const link of document.querySelectorAll('nav a'))
  if (new URL(link.href).searchParams.get('area') === named) link.setAttribute('aria-current', 'page')
if (named) SwaggerUIBundle({ domNode: place, url: place.dataset.document + '?tag=' + encodeURIComponent(named), deepLinking: true, docExpansion: 'list', displayRequestDuration: true, validatorUrl: null })
`

const startStyle = `:root { color-scheme: light; }
body { max-width: 1460px; margin: 0 auto; padding: 1rem 20px; font-family: sans-serif; color: #3b4151; }
h1 { margin: 0; font-size: 1.25rem; }
h1 a { color: inherit; text-decoration: none; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem; margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .4rem .6rem; border: 1px solid #767b87; border-radius: .4rem; color: inherit; text-decoration: none; }
nav a:hover, nav a[aria-current] { background: #3b4151; color: #fff; }
.swagger-ui .info { margin: 1.5rem 0; }
`

const libraryFiles = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** The interactive reference, from our own files: it works without internet. */
export const serveDocs = (app: FastifyInstance, basePath: string): void => {
  const areas = [...Map.groupBy(app.served, ({ shape }) => shape.tag)]
    .map(([tag, { length: count }]) => ({ tag, count }))
    .toSorted((one, other) => one.tag.localeCompare(other.tag, 'en'))
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
  serveAt('/api/docs', 'text/html; charset=utf-8', () => page(basePath, areas))
  serveAt('/api/docs/start.css', 'text/css; charset=utf-8', () => startStyle)
  serveAt('/api/docs/start.js', 'text/javascript; charset=utf-8', () => startScript)
  for (const [name, type] of Object.entries(libraryFiles)) serveAt(`/api/docs/${name}`, type, () => fileOf(name))
}

const libraryFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static')
