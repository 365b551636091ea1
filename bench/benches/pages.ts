import { addressOf, readPage } from '../../packages/api/src/index.ts'
import { spawnBare, spawnBareFiles } from '../bare-process.ts'
import { pagesOfZip, type StoredPage } from '../books/stored-pages.ts'
import { type ScannedLibrary, scannedLibrary } from '../books/scanned-library.ts'
import { type Reply, requestBytes } from '../connection.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench, Figure } from '../figure.ts'
import { sameReply } from '../load.ts'
import { type Contender, type Round, runRounds } from '../rounds.ts'
import { quantile } from '../statistics.ts'
import { figuresAgainstBare, usualLoad } from './against-bare.ts'

const step = 8
const gates = { stored: { min: 0.6 }, deflated: { min: 0.8 }, notModified: { min: 0.5 } }

/** Pages of 1.2 MB from books of 200 MB, beside a server of static files that knows where they are. */
export const pages: Bench = {
  names: ['page.stored', 'page.deflated', 'page.304'],
  run: async ({ database }) => {
    await using scanned = await scannedLibrary(database, 'BIG')
    const { library, content, id } = scanned
    const ids = await content.booksByPath(id)
    const all = library.files.flatMap((book) => pagesOfZip(library.root, book, step))
    const of = (method: StoredPage['method']) => all.filter((page) => page.method === method)
    return [
      ...(await compare('page.stored', scanned, { ids, pages: of('stored'), gate: gates.stored })),
      ...(await compare('page.deflated', scanned, { ids, pages: of('deflated'), gate: gates.deflated })),
      ...(await compareNotModified(scanned, ids, all[0])),
    ]
  },
}

interface Course {
  readonly ids: ReadonlyMap<string, string>
  readonly pages: readonly StoredPage[]
  readonly gate: Figure['gate']
}

const compare = async (name: string, scanned: ScannedLibrary, { ids, pages, gate }: Course): Promise<Figure[]> => {
  const { server } = scanned
  await using bare = await spawnBareFiles(
    pages.map(({ file, offset, storedSize, method }) => ({ file, offset, storedSize, method })),
  )
  const bareRequests = pages.map((_, index) => requestBytes({ path: `/${index}` }))
  const ourRequests = pages.map((page) => pageRequest(scanned, ids, page))
  const few = { rounds: 7, roundMs: 1500, warmUpMs: 1500 }
  const rounds = await runRounds(
    { bare: randomPages(bare, bareRequests, pages), ours: randomPages(server, ourRequests, pages) },
    few,
  )
  return [
    ...withGate(figuresAgainstBare(name, rounds.ours, rounds.bare), gate),
    { name: `${name} answer, median`, unit: 'ms', values: latencies(rounds.ours, 0.5) },
    { name: `${name} answer, 99 %`, unit: 'ms', values: latencies(rounds.ours, 0.99) },
  ]
}

const compareNotModified = async (
  scanned: ScannedLibrary,
  ids: Course['ids'],
  page: StoredPage | undefined,
): Promise<Figure[]> => {
  if (!page) throw new Error('There is no page')
  const { server } = scanned
  const reply = await exchangeOnce(server.port, pageRequest(scanned, ids, page))
  sameReply({ status: 200, body: page.bytes })(reply)
  const [, etag] = /\r\netag: (.+)/i.exec(reply.head) ?? []
  if (etag === undefined) throw new Error(`The page has no ETag:\n${reply.head}`)
  const request = pageRequest(scanned, ids, page, { 'if-none-match': etag })
  const model = await exchangeOnce(server.port, request)
  sameReply({ status: 304, body: Buffer.alloc(0) })(model)
  await using bare = await spawnBare(model, request)
  const load = { ...usualLoad, request: () => request, check: sameReply(model) }
  const rounds = await runRounds({
    bare: { pid: bare.pid, load: { ...load, port: bare.port } },
    ours: { pid: server.pid, load: { ...load, port: server.port } },
  })
  return withGate(figuresAgainstBare('page.304', rounds.ours, rounds.bare), gates.notModified)
}

export const pageRequest = (
  { installation }: ScannedLibrary,
  ids: Course['ids'],
  { book, number }: StoredPage,
  more: Readonly<Record<string, string>> = {},
): Buffer => {
  const id = ids.get(book)
  if (id === undefined) throw new Error(`The server does not know ${book}`)
  return requestBytes({
    path: addressOf(readPage, { params: { id, number } }),
    headers: { ...installation.token, accept: 'image/jpeg', ...more },
  })
}

/** Each lane asks for another page each time, in an order that looks like chance and is not. */
export const randomPages = (
  { pid, port }: { readonly pid: number; readonly port: number },
  requests: readonly Buffer[],
  pages: readonly StoredPage[],
  connections = usualLoad.connections,
): Contender => {
  const pageOfLane: number[] = []
  return {
    pid,
    load: {
      port,
      connections,
      request: (index, lane) => {
        const at = (index * 7919) % pages.length
        pageOfLane[lane] = at
        return requests[at] ?? Buffer.alloc(0)
      },
      check: (reply: Reply, lane) => {
        const page = pages[pageOfLane[lane] ?? 0]
        if (page === undefined || reply.status !== 200 || !reply.body.equals(page.bytes))
          throw new Error(`Expected page ${page?.number} of ${page?.book}, got ${reply.status} (${reply.body.length})`)
      },
    },
  }
}

const latencies = (rounds: readonly Round[], share: number): number[] =>
  rounds.map(({ latenciesMs }) => quantile(latenciesMs, share))

const withGate = (figures: readonly Figure[], gate: Figure['gate']): Figure[] =>
  figures.map((figure) => (gate && figure.name.endsWith('by time') ? { ...figure, gate } : figure))
