import { addressOf, listBooks, readHealth, readPage } from '../../packages/api/src/index.ts'
import { scannedLibrary } from '../books/scanned-library.ts'
import { requestBytes } from '../connection.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench, Figure } from '../figure.ts'
import { putLoad, sameReply } from '../load.ts'
import { profileRequest, readOwnProfile } from '../own-profile.ts'
import { quantile } from '../statistics.ts'

const rounds = 5
const requestsEach = 3000
const tooLongMs = 60_000
/** V8 has compiled what is called so often. */
const warmUp = 1500
const gates = { ratio: { max: 5 }, slowest: { max: 3 } }

/** One client asks for what is quick, again and again: how much longer than the usual answer takes the slowest of a hundred? */
export const quickAnswers: Bench = {
  names: ['quick'],
  run: async ({ database }) => {
    await using scanned = await scannedLibrary(database, 'S')
    const {
      installation: { token, username },
      server: { port },
      content,
      id: libraryId,
    } = scanned
    await content.forgetCovers()
    const [bookId = ''] = (await content.booksByPath(libraryId)).values()
    const profile = await readOwnProfile(port, username, token)
    const etag = /\r\netag: (.+)/i.exec(profile.head)?.[1] ?? ''
    const get = (path: string) => requestBytes({ path, headers: token })
    const requests: Readonly<Record<string, Buffer>> = {
      health: requestBytes({ path: readHealth.path }),
      'who am I': profileRequest(token),
      'who am I, 304': profileRequest({ ...token, 'if-none-match': etag }),
      'a kept list': get(addressOf(listBooks, { query: { pageSize: 50 } })),
      'a page': get(addressOf(readPage, { params: { id: bookId, number: 1 } })),
    }
    const figures: Figure[] = []
    for (const [what, request] of Object.entries(requests))
      figures.push(...figuresOf(what, await latenciesOf(port, request)))
    return figures
  },
}

/** It returns the latencies of each round, sorted. */
const latenciesOf = async (port: number, request: Buffer): Promise<readonly (readonly number[])[]> => {
  const check = sameReply(await exchangeOnce(port, request))
  const load = { port, connections: 1, durationMs: tooLongMs, request: () => request, check }
  await putLoad({ ...load, requestsMax: warmUp })
  const all: (readonly number[])[] = []
  for (let round = 0; round < rounds; round += 1)
    all.push((await putLoad({ ...load, requestsMax: requestsEach })).latenciesMs)
  return all
}

const figuresOf = (what: string, all: readonly (readonly number[])[]): Figure[] => {
  const at = (share: number) => all.map((latencies) => quantile(latencies, share))
  const [usual, slow] = [at(0.5), at(0.99)]
  return [
    { name: `quick: ${what}, median`, unit: 'ms', values: usual },
    { name: `quick: ${what}, 99 %`, unit: 'ms', values: slow, gate: gates.slowest },
    {
      name: `quick: ${what}, 99 % of the median`,
      unit: '×',
      values: slow.map((ms, round) => ms / (usual[round] ?? Number.NaN)),
      gate: gates.ratio,
    },
  ]
}
