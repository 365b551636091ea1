/** The service as the plugin knows it: replies in the shape of Open Library's, over HTTP, and every way in which it can misbehave. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const work = {
  key: '/works/OL100W',
  title: 'Night Train',
  description: { type: '/type/text', value: 'Two people on a train.' },
  subjects: ['Railways', 'Crime'],
  covers: [-1, 71],
  authors: [{ type: { key: '/type/author_role' }, author: { key: '/authors/OL7A' } }],
  first_publish_date: 'October 1, 1999',
  type: { key: '/type/work' },
  revision: 9,
}
const edition = {
  key: '/books/OL55M',
  title: 'Nachtzug',
  subtitle: 'Roman',
  works: [{ key: '/works/OL100W' }],
  authors: [{ key: '/authors/OL7A' }],
  publishers: ['Haus'],
  publish_date: '2003',
  number_of_pages: 321,
  isbn_10: ['0306406152'],
  isbn_13: ['9780306406157'],
  languages: [{ key: '/languages/ger' }],
  covers: [99],
}
const docs = [
  {
    key: '/works/OL100W',
    title: 'Night Train',
    author_name: ['Ana Kovač'],
    first_publish_year: 1999,
    cover_i: 71,
    edition_count: 4,
  },
  { key: '/works/OL101W', title: 'Night Train to Lisbon', author_name: ['Somebody Else'], first_publish_year: 2004 },
  { key: '/works/OL102W', title: null },
]

const replies: Readonly<Record<string, unknown>> = {
  '/works/OL100W.json': work,
  '/books/OL55M.json': edition,
  '/authors/OL7A.json': { name: 'Ana Kovač', key: '/authors/OL7A' },
}

const json = (response: ServerResponse, body: unknown): void => {
  response.setHeader('content-type', 'application/json; charset=utf-8').end(JSON.stringify(body))
}

/** The key is the id or the query that asks for it. */
const misbehaviours: Readonly<Record<string, (response: ServerResponse) => void>> = {
  OL429W: (response) => response.writeHead(429, { 'retry-after': '17' }).end('slow down'),
  OL430W: (response) => response.writeHead(429, { 'retry-after': new Date(Date.now() + 90_000).toUTCString() }).end(),
  OL431W: (response) => response.writeHead(429).end(),
  OL503W: (response) => response.writeHead(503, { 'retry-after': '5' }).end(),
  OL500W: (response) => response.writeHead(500).end('{"error":"x"}'),
  OL403W: (response) => response.writeHead(403).end(),
  OL600W: (response) => response.setHeader('content-type', 'text/html; charset=utf-8').end('<h1>Busy</h1>'),
  OL601W: (response) => response.setHeader('content-type', 'application/json').end('{"key":'),
  OL602W: (response) => json(response, { key: '/works/OL602W', title: 5 }),
  OL603W: (response) => json(response, { key: '/works/OL603W', title: 'x'.repeat(5_000_000) }),
  OL604W: () => undefined,
  OL605W: (response) => response.destroy(),
  OL301W: (response) => response.writeHead(302, { location: '/works/OL301W.json' }).end(),
  OL302W: (response) => response.writeHead(302, { location: 'http://127.0.0.2/works/OL100W.json' }).end(),
}

export interface Recorded extends AsyncDisposable {
  readonly address: string
  readonly requests: { readonly url: string; readonly agent: string | undefined }[]
}

export const startRecorded = async (): Promise<Recorded> => {
  const requests: { url: string; agent: string | undefined }[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? ''
    requests.push({ url, agent: request.headers['user-agent'] })
    const { pathname, searchParams } = new URL(url, 'http://here')
    const misbehaviour = misbehaviours[/OL\d+W/.exec(pathname)?.[0] ?? '']
    const reply = replies[pathname]
    if (misbehaviour) misbehaviour(response)
    else if (reply !== undefined) json(response, reply)
    else if (pathname === '/isbn/9780306406157.json') response.writeHead(302, { location: '/books/OL55M.json' }).end()
    else if (pathname === '/search.json')
      json(response, { numFound: 3, docs: searchParams.get('title') === 'None' ? [] : docs })
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"notfound"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
