import type { RequestText } from '../../connection.ts'
import { type Adapter, type Ask, inTurn, pageSizes } from './adapter.ts'

const pageSize = pageSizes.books

interface KomgaPage<Item> {
  readonly content: readonly Item[]
  readonly totalElements: number
}

const idOf = ({ id }: { readonly id: string }): string => id

/** The API of Komga 1.x, as its own documentation describes it; `prefix` is where another server offers the same. */
export const komga = (prefix = ''): Adapter => {
  const at = (path: string): string => `${prefix}/api/${path}`
  const get = async <Body>(ask: Ask, path: string): Promise<Body> => (await ask({ path: at(path) })).body as Body
  const post = (path: string, body: unknown): RequestText => ({ method: 'POST', path: at(path), body })
  const countOf = async (ask: Ask, query: string): Promise<number> =>
    (await get<KomgaPage<unknown>>(ask, `v1/books?size=1&${query}`)).totalElements
  return {
    health: prefix === '' ? '/actuator/health' : '/health',
    signIn: async (ask, { username, password }) => {
      const { isClaimed } = await get<{ readonly isClaimed: boolean }>(ask, 'v1/claim')
      const first = { 'x-komga-email': username, 'x-komga-password': password }
      if (!isClaimed) await ask({ method: 'POST', path: at('v1/claim'), headers: first })
      const headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
      const { cookies } = await ask({ path: at('v2/users/me'), headers })
      return { headers, cookies }
    },
    makeKey: async (ask) => {
      const { body } = await ask(post('v2/users/me/api-keys', { comment: 'bench' }))
      return { 'x-api-key': (body as { readonly key: string }).key }
    },
    addLibrary: async (ask, root) =>
      idOf((await ask(post('v1/libraries', { name: 'Bench', root }))).body as { readonly id: string }),
    tellsEndOfScan: false,
    scan: async (ask, id) => void (await ask(post(`v1/libraries/${id}/scan`, undefined))),
    count: async (ask, id) => ({
      listed: await countOf(ask, `library_id=${id}`),
      read: await countOf(ask, `library_id=${id}&media_status=READY`),
    }),
    bookIds: async (ask, count) =>
      (await get<KomgaPage<{ readonly id: string }>>(ask, `v1/books?size=${count}`)).content.map(idOf),
    genres: async (ask) => (await get<readonly string[]>(ask, 'v1/genres')).slice(0, 50),
    questions: ({ genres, fullPages }) => ({
      lists: {
        'books, first page again': () => post(`v1/books/list?size=${pageSize}&sort=metadata.title,asc`, {}),
        'books by title, page after page': (turn) =>
          post(`v1/books/list?size=${pageSize}&page=${turn % fullPages.books}&sort=metadata.title,asc`, {}),
        'books by date, page after page': (turn) =>
          post(`v1/books/list?size=${pageSize}&page=${turn % fullPages.books}&sort=createdDate,desc`, {}),
        'series by name, page after page': (turn) =>
          post(
            `v1/series/list?size=${pageSizes.series}&page=${turn % fullPages.series}&sort=metadata.titleSort,asc`,
            {},
          ),
        ...(genres.length > 0 && {
          'series of a genre': (turn) =>
            post(`v1/series/list?size=${pageSize}`, {
              condition: { genre: { operator: 'is', value: inTurn(genres, turn) } },
            }),
        }),
        'series unread': () =>
          post(`v1/series/list?size=${pageSize}`, { condition: { readStatus: { operator: 'is', value: 'UNREAD' } } }),
      },
      search: (word) => post(`v1/books/list?size=${pageSize}`, { fullTextSearch: word }),
      me: () => ({ path: at('v2/users/me') }),
      book: (id) => ({ path: at(`v1/books/${id}`) }),
      page: (id, number) => ({ path: at(`v1/books/${id}/pages/${number}`) }),
      progress: (id, page) => ({
        method: 'PATCH',
        path: at(`v1/books/${id}/read-progress`),
        body: { page, completed: false },
      }),
    }),
  }
}
