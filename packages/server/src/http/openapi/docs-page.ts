import type { Endpoint } from '@carrel/api'
import { operationId } from './operation-id.ts'

/** The operations of one tag. */
interface Area {
  readonly tag: string
  readonly operations: readonly Operation[]
}

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
}

export const areasOf = (endpoints: readonly Endpoint[]): readonly Area[] =>
  [...Map.groupBy(endpoints, ({ shape }) => shape.tag)]
    .map(([tag, ofTag]) => ({ tag, operations: ofTag.map(operationOf).toSorted(byPath) }))
    .toSorted((one, other) => one.tag.localeCompare(other.tag, 'en'))

const operationOf = (endpoint: Endpoint): Operation => ({
  id: operationId(endpoint),
  method: endpoint.method,
  path: endpoint.path,
  summary: endpoint.shape.summary,
})

const byPath = (one: Operation, other: Operation): number =>
  one.path.localeCompare(other.path, 'en') || one.method.localeCompare(other.method, 'en')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** What all paths of ours begin with says nothing in a list of them; a long path breaks where its parts do. */
const shownPath = (path: string): string => escaped(path.replace(/^\/api\/v1(?=\/)/, '')).replaceAll('/', '<wbr>/')

const operationLink =
  (tag: string) =>
  ({ id, method, path, summary }: Operation): string => {
    const area = encodeURIComponent(tag)
    const chip = `<span class="method ${method.toLowerCase()}">${method}</span>`
    return `<li><a href="?area=${area}#/${area}/${id}" data-operation="${id}" title="${escaped(summary)}">${chip}<span>${shownPath(path)}</span></a></li>`
  }

const areaItem = ({ tag, operations }: Area): string => `<li class="area">
<a href="?area=${encodeURIComponent(tag)}">${escaped(tag)} <small>${operations.length}</small></a>
<ul>
${operations.map(operationLink(tag)).join('\n')}
</ul>
</li>`

/** All paths at the left, and what one chooses beside them. */
export const docsPage = (base: string, areas: readonly Area[]): string => `<!doctype html>
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
<p>All of it is described by <a href="${base}/api/openapi.json">openapi.json</a>.</p>
</header>
<nav aria-label="Areas">
<label for="filter">Find a path</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false">
<p id="found" role="status"></p>
<ul>
${areas.map(areaItem).join('\n')}
</ul></nav>
<main id="reference" data-document="${base}/api/openapi.json"><p class="hint">Choose an area or a path.</p></main>
<script src="${base}/api/docs/swagger-ui-bundle.js"></script>
<script src="${base}/api/docs/start.js"></script>
</body>
</html>
`

/** All operations in one page take a browser half a minute to show: an area is shown at a time. */
export const docsScript = `const place = document.getElementById('reference')
const dark = matchMedia('(prefers-color-scheme: dark)')
const wear = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
wear()
dark.addEventListener('change', wear)
const named = new URLSearchParams(location.search).get('area') ?? decodeURIComponent(location.hash.split('/')[1] ?? '')
const areas = [...document.querySelectorAll('.area')].map((item) => ({ item, link: item.querySelector('a'), paths: [...item.querySelectorAll('li')] }))
const filter = document.getElementById('filter')
const found = document.getElementById('found')
const show = () => {
  const words = filter.value.toLowerCase().split(' ').filter(Boolean)
  let count = 0
  for (const { item, link, paths } of areas) {
    const isChosen = new URL(link.href).searchParams.get('area') === named
    if (isChosen) link.setAttribute('aria-current', 'page')
    for (const path of paths) {
      const text = (path.textContent + ' ' + path.firstElementChild.title + ' ' + link.textContent).toLowerCase()
      path.hidden = words.length === 0 ? named !== '' && !isChosen : !words.every((word) => text.includes(word))
      if (!path.hidden) count += 1
    }
    item.hidden = words.length > 0 && paths.every((path) => path.hidden)
  }
  found.textContent = words.length === 0 ? '' : count === 1 ? '1 path' : count + ' paths'
}
filter.addEventListener('input', show)
show()
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' })
document.querySelector('nav').addEventListener('click', (event) => {
  const link = event.target.closest('a[data-operation]')
  const shown = link && place.querySelector('[id^="operations-"][id$="-' + link.dataset.operation + '"]')
  if (!shown || new URL(link.href).searchParams.get('area') !== named) return
  event.preventDefault()
  history.replaceState(null, '', link.href)
  if (!shown.classList.contains('is-open')) shown.querySelector('.opblock-summary-control').click()
  shown.scrollIntoView({ block: 'start' })
})
if (named) SwaggerUIBundle({ domNode: place, url: place.dataset.document + '?tag=' + encodeURIComponent(named), deepLinking: true, docExpansion: 'list', displayRequestDuration: true, validatorUrl: null })
`

/** The tokens of the web app, in both looks. Swagger UI names its own colours everywhere: what shows text takes ours. */
export const docsStyle = `:root { color-scheme: light dark; --surface: #f7f7f5; --raised: #fff; --sunken: #ecece8; --side: #f0f0ec; --text: #1d1f1e; --quiet: #5b605e; --line: #deded9; --accent: #175b57; --accent-soft: #e0efec; --get: #1d5fa8; --post: #1f6f6b; --put: #7a5200; --patch: #5b4a9c; --delete: #b3261e; --on-chip: #fff; }
@media (prefers-color-scheme: dark) { :root { --surface: #141615; --raised: #1f2221; --sunken: #0f1110; --side: #101211; --text: #e9ebea; --quiet: #a4aba8; --line: #2c302e; --accent: #84c3ba; --accent-soft: #1d3431; --get: #8db9ee; --post: #84c3ba; --put: #f2c56b; --patch: #b9aaf2; --delete: #ffb4ab; --on-chip: #131514; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { display: grid; grid-template: auto minmax(0, 1fr) / 22rem minmax(0, 1fr); margin: 0; background: var(--surface); color: var(--text); font: .9375rem/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.5rem; padding: .875rem clamp(1rem, 2.5vw, 2.25rem); border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.125rem; font-weight: 680; line-height: 1.2; }
h1 a { color: inherit; text-decoration: none; }
header p { margin: 0; color: var(--quiet); font-size: .8125rem; }
header p a { color: var(--accent); }
nav { position: sticky; top: 0; align-self: start; height: 100vh; height: 100dvh; padding: 1rem; overflow: auto; overscroll-behavior: contain; border-right: 1px solid var(--line); background: var(--side); font-size: .8125rem; }
nav label { display: block; margin-bottom: .25rem; font-weight: 600; }
nav input { width: 100%; min-height: 2.5rem; padding: 0 .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); color: inherit; font: inherit; font-size: .9375rem; }
#found { min-height: 1.5em; margin: .25rem 0; color: var(--quiet); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: flex; align-items: baseline; gap: .5rem; padding: .3125rem .5rem; border-radius: .5rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.area > a { margin-top: .25rem; font-size: .9375rem; font-weight: 600; }
nav a small { color: var(--quiet); font-weight: 400; }
nav a:hover { background: var(--accent-soft); }
nav a[aria-current] { background: var(--accent-soft); color: var(--accent); }
nav a[aria-current] small { color: inherit; }
.method { flex: none; width: 3.5rem; border-radius: .3rem; background: var(--get); color: var(--on-chip); font-size: .625rem; font-weight: 700; line-height: 1.7; text-align: center; }
.method.post { background: var(--post); } .method.put { background: var(--put); } .method.patch { background: var(--patch); } .method.delete { background: var(--delete); }
main { min-width: 0; max-width: 96rem; padding: 0 clamp(.75rem, 2vw, 2rem) 4rem; }
.hint { margin: 4rem 0; color: var(--quiet); text-align: center; }
a:focus-visible, button:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 60rem) { body { display: block; } nav { position: static; height: auto; max-height: 50vh; border-right: 0; border-bottom: 1px solid var(--line); } nav a { min-height: 2.5rem; align-items: center; } }
.swagger-ui { font-family: inherit; }
.swagger-ui .wrapper { padding: 0; }
.swagger-ui :is(.info .title, .opblock-tag, .opblock .opblock-summary-method, .opblock .opblock-summary-description, .btn, table, p, label, .tab li) { font-family: inherit; }
.swagger-ui .info { margin: 1.5rem 0; }
.swagger-ui .info .title { font-size: 1.75rem; }
.swagger-ui .info a, .swagger-ui a.nostyle:focus-visible { color: var(--accent); }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #1f6f6b; }
.swagger-ui .info .title small pre { color: #fff; }
.swagger-ui .opblock .opblock-summary-method { min-width: 4.5rem; padding: .25rem 0; border-radius: .3rem; font-size: .75rem; text-shadow: none; color: var(--on-chip); }
.swagger-ui .opblock.opblock.opblock-get .opblock-summary-method { background: var(--get); color: var(--on-chip); }
.swagger-ui .opblock.opblock.opblock-post .opblock-summary-method { background: var(--post); color: var(--on-chip); }
.swagger-ui .opblock.opblock.opblock-put .opblock-summary-method { background: var(--put); color: var(--on-chip); }
.swagger-ui .opblock.opblock.opblock-patch .opblock-summary-method { background: var(--patch); color: var(--on-chip); }
.swagger-ui .opblock.opblock.opblock-delete .opblock-summary-method { background: var(--delete); color: var(--on-chip); }
.swagger-ui .opblock.opblock.opblock[class] { margin: 0 0 .5rem; border: 1px solid var(--line); border-radius: .875rem; background: var(--raised); box-shadow: none; }
.swagger-ui .opblock .opblock-summary { border-color: var(--line) !important; }
.swagger-ui .opblock .opblock-section-header, .dark-mode .swagger-ui .opblock .opblock-section-header { background: none; box-shadow: none; }
.swagger-ui .opblock.opblock .tab-header .tab-item.active h4 span::after { background: var(--accent); }
.swagger-ui .opblock.opblock :is(.opblock-summary-path, .opblock-summary-description, table.headers td, .header-col) { color: inherit; }
.swagger-ui :is(.response-col_links, .responses-table thead td:last-child) { display: none; }
.swagger-ui .scheme-container, .dark-mode .swagger-ui .scheme-container { margin: 0 0 1rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .875rem; background: var(--raised); box-shadow: none; }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { border-color: var(--accent); color: var(--accent); }
.swagger-ui .btn.authorize svg { fill: currentColor; }
.dark-mode, .dark-mode body, .dark-mode .swagger-ui { background: var(--surface); }
.dark-mode .swagger-ui :is(.renderedMarkdown code, .markdown code, .json-schema-2020-12__title, .json-schema-2020-12__attribute--primary) { background: none; color: var(--accent); }
@media (min-width: 80rem) { .swagger-ui .opblock-body { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); align-items: start; } .swagger-ui .opblock-body > .responses-wrapper { grid-column: 2; grid-row: 1 / span 12; border-left: 1px solid var(--line); } .swagger-ui .opblock-body > :not(.responses-wrapper) { grid-column: 1; } }
`
