import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'

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
const dark = matchMedia('(prefers-color-scheme: dark)')
const wear = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
wear()
dark.addEventListener('change', wear)
const named = new URLSearchParams(location.search).get('area') ?? decodeURIComponent(location.hash.split('/')[1] ?? '')
for (const link of document.querySelectorAll('nav a'))
  if (new URL(link.href).searchParams.get('area') === named) link.setAttribute('aria-current', 'page')
if (named) SwaggerUIBundle({ domNode: place, url: place.dataset.document + '?tag=' + encodeURIComponent(named), deepLinking: true, docExpansion: 'list', displayRequestDuration: true, validatorUrl: null })
`

/** The colours of the web app, for both looks. Swagger UI names its own everywhere: what shows text takes ours. */
const startStyle = `:root { color-scheme: light dark; --surface: #f7f7f5; --raised: #fff; --sunken: #ecece8; --text: #1d1f1e; --quiet: #5b605e; --line: #deded9; --accent: #175b57; --accent-soft: #e0efec; }
@media (prefers-color-scheme: dark) { :root { --surface: #171918; --raised: #202322; --sunken: #101211; --text: #e9ebea; --quiet: #a4aba8; --line: #343836; --accent: #84c3ba; --accent-soft: #1d3431; } }
body { max-width: 1460px; margin: 0 auto; padding: 1.5rem clamp(.75rem, 2.5vw, 2rem); background: var(--surface); color: var(--text); font: .9375rem/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.2; }
h1 a { color: inherit; text-decoration: none; }
header p a { color: var(--accent); }
nav ul { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .4rem .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); color: inherit; text-decoration: none; }
nav a small { color: var(--quiet); }
nav a:hover { border-color: var(--accent); }
nav a[aria-current] { border-color: var(--accent); background: var(--accent-soft); color: var(--accent); font-weight: 600; }
nav a[aria-current] small { color: inherit; }
a:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.swagger-ui { font-family: inherit; }
.swagger-ui :is(.info .title, .opblock-tag, .opblock .opblock-summary-method, .opblock .opblock-summary-description, .btn, table, p, label, .tab li) { font-family: inherit; }
.swagger-ui .info { margin: 1.5rem 0; }
.swagger-ui .info a, .swagger-ui a.nostyle:focus-visible { color: var(--accent); }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #1f6f6b; }
.swagger-ui .info .title small pre { color: #fff; }
.swagger-ui .opblock .opblock-summary-method { text-shadow: none; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1d5fa8; color: #fff; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #1f6f6b; color: #fff; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #7a5200; color: #fff; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #5b4a9c; color: #fff; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e; color: #fff; }
.swagger-ui .opblock, .swagger-ui .opblock .opblock-summary { border-radius: .5rem; box-shadow: none; }
.swagger-ui .scheme-container, .dark-mode .swagger-ui .scheme-container { background: var(--raised); box-shadow: none; }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { border-color: var(--accent); color: var(--accent); }
.swagger-ui .btn.authorize svg { fill: currentColor; }
.dark-mode, .dark-mode body, .dark-mode .swagger-ui { background: var(--surface); }
.dark-mode .swagger-ui :is(.renderedMarkdown code, .markdown code, .json-schema-2020-12__title, .json-schema-2020-12__attribute--primary) { background: none; color: var(--accent); }
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
  }
  serveAt('/api/docs', 'text/html; charset=utf-8', () => page(basePath, areas))
  serveAt('/api/docs/start.css', 'text/css; charset=utf-8', () => startStyle)
  serveAt('/api/docs/start.js', 'text/javascript; charset=utf-8', () => startScript)
  for (const [name, type] of Object.entries(libraryFiles)) serveAt(`/api/docs/${name}`, type, () => fileOf(name))
}

const libraryFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static')
