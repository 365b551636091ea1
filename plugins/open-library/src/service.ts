import { fetchJson, misfitOf, PluginError, type Static, type TSchema, Type } from '@carrel/plugin-sdk'

/**
 * Only these parts of Open Library's replies are used. They are written by many people, so only what is needed is
 * required.
 */

const Texts = Type.Optional(Type.Array(Type.String()))
const Key = Type.Object({ key: Type.String() })
const Keys = Type.Optional(Type.Array(Key))
/** A text, or an object that holds it. */
const Prose = Type.Optional(Type.Union([Type.String(), Type.Object({ value: Type.String() })]))

export const Doc = Type.Object({
  key: Type.String(),
  title: Type.String(),
  author_name: Texts,
  first_publish_year: Type.Optional(Type.Integer()),
  cover_i: Type.Optional(Type.Integer()),
  edition_count: Type.Optional(Type.Integer()),
  subject: Texts,
})
export type Doc = Static<typeof Doc>

const SearchReply = Type.Object({ docs: Type.Array(Type.Unknown()) })

export const Work = Type.Object({
  key: Type.String(),
  title: Type.String(),
  subtitle: Type.Optional(Type.String()),
  description: Prose,
  subjects: Texts,
  covers: Type.Optional(Type.Array(Type.Integer())),
  authors: Type.Optional(Type.Array(Type.Object({ author: Type.Optional(Key) }))),
  first_publish_date: Type.Optional(Type.String()),
})
export type Work = Static<typeof Work>

export const Edition = Type.Object({
  key: Type.String(),
  title: Type.String(),
  subtitle: Type.Optional(Type.String()),
  description: Prose,
  works: Keys,
  authors: Keys,
  publishers: Texts,
  publish_date: Type.Optional(Type.String()),
  number_of_pages: Type.Optional(Type.Integer()),
  isbn_10: Texts,
  isbn_13: Texts,
  covers: Type.Optional(Type.Array(Type.Integer())),
  languages: Keys,
  edition_name: Type.Optional(Type.String()),
})
export type Edition = Static<typeof Edition>

const Author = Type.Object({ name: Type.Optional(Type.String()), personal_name: Type.Optional(Type.String()) })

const fields = 'key,title,author_name,first_publish_year,cover_i,edition_count,subject'
const authorsMax = 6

export interface Service {
  readonly search: (query: Readonly<Record<string, string>>, limit: number) => Promise<Doc[]>
  readonly work: (id: string) => Promise<Work>
  readonly edition: (id: string) => Promise<Edition>
  readonly editionByIsbn: (isbn: string) => Promise<Edition>
  readonly authorNames: (keys: readonly string[]) => Promise<string[]>
  readonly addressOf: (path: string) => string
}

export interface Where {
  readonly baseUrl: string
  readonly contact: string
  readonly timeoutSeconds: number
}

export const openService = ({ baseUrl, contact, timeoutSeconds }: Where, signal: AbortSignal): Service => {
  const base = baseOf(baseUrl)
  const headers = { 'user-agent': `Carrel open-library plugin (${contact === '' ? 'no contact given' : contact})` }
  const get = async <S extends TSchema>(path: string, schema: S): Promise<Static<S>> => {
    const reply = await fetchJson(new URL(path, base), { signal, headers, timeoutMs: timeoutSeconds * 1_000 })
    const misfit = misfitOf(schema, reply)
    if (misfit !== undefined) throw new PluginError('api_error', `${base.host} answers what makes no sense: ${misfit}.`)
    return reply as Static<S>
  }
  return {
    search: async (query, limit) => {
      const { docs } = await get(
        `search.json?${new URLSearchParams({ ...query, fields, limit: String(limit) }).toString()}`,
        SearchReply,
      )
      // One that is odd does not spoil the others.
      return docs.filter((doc): doc is Doc => misfitOf(Doc, doc) === undefined)
    },
    work: (id) => get(`works/${id}.json`, Work),
    edition: (id) => get(`books/${id}.json`, Edition),
    editionByIsbn: (isbn) => get(`isbn/${isbn}.json`, Edition),
    authorNames: async (keys) => {
      const authors = await Promise.all(
        keys.slice(0, authorsMax).map((key) => get(`authors/${idIn(key)}.json`, Author)),
      )
      return authors.flatMap(({ name, personal_name: personal }) => name ?? personal ?? [])
    },
    addressOf: (path) => new URL(path, base).href,
  }
}

const baseOf = (text: string): URL => {
  const base = URL.parse(text.endsWith('/') ? text : `${text}/`)
  if (base?.protocol === 'https:' || base?.protocol === 'http:') return base
  throw new PluginError('config_error', `The address "${text}" begins neither with https:// nor with http://.`)
}

/** The last part of `/works/OL45804W`. Anything else would ask for another address. */
export const idIn = (key: string): string => /OL\d+[AMW]$/.exec(key)?.[0] ?? notThere(key)

const notThere = (key: string): never => {
  throw new PluginError('not_found', `"${key}" is no id of Open Library.`)
}
