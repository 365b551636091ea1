import { setTimeout as delay } from 'node:timers/promises'
import * as api from '../../../packages/api/src/index.ts'
import type { RequestText } from '../../connection.ts'
import { type Adapter, type Ask, inTurn, pageSizes } from './adapter.ts'

const pageSize = pageSizes.books

const requestOf = <Input, Reply, Answer>(
  endpoint: api.Endpoint<Input, Reply, Answer>,
  input: NoInfer<Input>,
): RequestText => {
  const { body } = input as { readonly body?: unknown }
  return { method: endpoint.method, path: api.addressOf(endpoint, input), ...(body !== undefined && { body }) }
}

const askFor = async <Input, Reply, Answer>(
  ask: Ask,
  endpoint: api.Endpoint<Input, Reply, Answer>,
  input: NoInfer<Input>,
): Promise<Reply> => (await ask(requestOf(endpoint, input))).body as Reply

const pollMs = 20
const scanMsMax = 60 * 60_000

export const carrel: Adapter = {
  health: '/health',
  // The first account is made by what stands in its environment (servers.json).
  signIn: async (ask, account) => {
    const { body, cookies } = await ask(requestOf(api.login, { body: account }))
    const { accessToken } = body as { readonly accessToken: string }
    return { headers: { authorization: `Bearer ${accessToken}` }, cookies }
  },
  makeKey: async (ask) => {
    const { key } = await askFor(ask, api.createApiKey, { body: { name: 'bench' } })
    return { 'x-api-key': key }
  },
  addLibrary: async (ask, root) =>
    (await askFor(ask, api.createLibrary, { body: { name: 'Bench', roots: [root] } })).id,
  tellsEndOfScan: true,
  scan: async (ask, id) => {
    const givenUpAt = performance.now() + scanMsMax
    const { scanId } = await askFor(ask, api.scanLibrary, { params: { id }, body: {} })
    for (;;) {
      const scan = await askFor(ask, api.readScanStatus, { params: { id } })
      if (scan?.id === scanId && scan.completedAt !== null) return
      if (performance.now() > givenUpAt) throw new Error('The scan does not come to an end')
      await delay(pollMs)
    }
  },
  count: async (ask, libraryId) => {
    const { total } = await askFor(ask, api.listBooks, { query: { libraryId, pageSize: 1 } })
    const scan = await askFor(ask, api.readScanStatus, { params: { id: libraryId } })
    return { listed: total, read: total - (scan?.analysisPending ?? 0) }
  },
  bookIds: async (ask, count) =>
    (await askFor(ask, api.listBooks, { query: { pageSize: count } })).data.map(({ id }) => id),
  genres: async (ask) => (await askFor(ask, api.listGenres, { query: { pageSize: 50 } })).data.map(({ name }) => name),
  questions: ({ genres, fullPages }) => ({
    lists: {
      'books, first page again': () => requestOf(api.listBooks, { query: { pageSize, sort: 'title,asc' } }),
      'books by title, page after page': (turn) =>
        requestOf(api.listBooks, { query: { pageSize, page: 1 + (turn % fullPages.books), sort: 'title,asc' } }),
      'books by date, page after page': (turn) =>
        requestOf(api.listBooks, { query: { pageSize, page: 1 + (turn % fullPages.books), sort: 'created_at,desc' } }),
      'series by name, page after page': (turn) =>
        requestOf(api.listSeries, {
          query: { pageSize: pageSizes.series, page: 1 + (turn % fullPages.series), sort: 'name,asc' },
        }),
      ...(genres.length > 0 && {
        'series of a genre': (turn) =>
          requestOf(api.listSeriesByCondition, {
            query: { pageSize },
            body: { condition: { genre: { operator: 'is', value: inTurn(genres, turn) } } },
          }),
      }),
      'series unread': () =>
        requestOf(api.listSeriesByCondition, {
          query: { pageSize },
          body: { condition: { readStatus: { operator: 'is', value: 'unread' } } },
        }),
    },
    search: (word) => requestOf(api.listBooksByCondition, { query: { pageSize }, body: { fullTextSearch: word } }),
    me: () => requestOf(api.readMe, {}),
    book: (id) => requestOf(api.readBook, { params: { id } }),
    page: (id, number) => requestOf(api.readPage, { params: { id, number } }),
    progress: (id, currentPage) => requestOf(api.saveProgress, { params: { id }, body: { currentPage } }),
  }),
}
