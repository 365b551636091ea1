import { hash } from 'node:crypto'
import type { BookDto, Permission } from '@carrel/api'
import type { Texts } from '../../texts/texts.ts'
import type { OfferedFile } from './book-files.ts'

/** It is the content of a feed, whichever version it is written in. */
export interface Feed {
  readonly id: string
  readonly title: string
  readonly updated: string
  readonly self: Target
  /** Absent at the beginning of all. */
  readonly up?: Target
  readonly content:
    | { readonly kind: 'navigation'; readonly entries: readonly Entry[] }
    | { readonly kind: 'acquisition'; readonly publications: readonly Publication[] }
  readonly facets?: readonly Facet[]
  /** The same looked at in another way, for which version 1 needs a feed of its own. */
  readonly related?: { readonly title: string; readonly target: Target; readonly leadsTo: Entry['leadsTo'] }
  readonly paging?: { readonly page: number; readonly pageSize: number; readonly total: number }
  /** Only version 2 shows them, where a feed may hold several things. */
  readonly groups?: readonly Group[]
}

/** The path is that of the catalogue, in either version: `/series/…`; the start has an empty path. */
export interface Target {
  readonly path: string
  readonly query?: Query
  /** It is the address as it was asked for, which is as good as ours: `/books?read=unread`. */
  readonly requestedPath?: string
}
export type Query = Readonly<Record<string, string | number | undefined>>

export interface Entry {
  readonly id: string
  readonly title: string
  readonly updated: string
  readonly target: Target
  readonly leadsTo: 'navigation' | 'acquisition'
  readonly text: string
  readonly count?: number
  readonly isNewest?: true
  readonly picture?: Picture | undefined
}

/** It says whose cover stands beside an entry; a list shows that of its first entry, which changes. */
export interface Picture {
  readonly of: 'books' | 'series' | 'libraries' | 'collections' | 'readlists'
  readonly id: string
  readonly coverVersion?: string
}

export interface Publication {
  readonly book: BookDto
  readonly title: string
  readonly people: readonly { readonly name: string; readonly role: string; readonly sortAs: string | null }[]
  readonly subtitle: string | null
  readonly summary: string | null
  readonly publisher: string | null
  readonly language: string | null
  /** `2019`, `2019-03` or `2019-03-01`. */
  readonly issued: string | null
  readonly subjects: readonly { readonly name: string; readonly kind: 'genre' | 'tag' }[]
  readonly isbns: readonly string[]
  /** It is null when there is nothing to download: the file is missing, or empty. */
  readonly file: OfferedFile | null
  /** The same book in other formats. */
  readonly otherFiles: readonly (OfferedFile & { readonly id: string })[]
  readonly isComic: boolean
  /** Its pages can be shown one by one. */
  readonly hasPages: boolean
  /** Its parts can be read one after the other. */
  readonly hasParts: boolean
}

export interface Facet {
  readonly title: string
  /** Only those with this permission see by what the list is ordered or narrowed. */
  readonly needs?: Permission
  readonly choices: readonly Choice[]
}

export interface Choice {
  readonly title: string
  readonly target: Target
  readonly isActive: boolean
  readonly needs?: Permission | undefined
  readonly count?: number | undefined
  /** It says where the entry leads in version 1; the default is to books. */
  readonly leadsTo?: Entry['leadsTo']
}

export interface Group {
  readonly title: string
  readonly target: Target
  readonly entries?: readonly Entry[]
  readonly publications?: readonly Publication[]
}

/** Parts of the catalogue itself have existed from the beginning. */
export const sinceEver = '2026-01-01T00:00:00.000Z'

export const pageSizeUsual = 50

/** The same wherever the server stands, and whatever it is called. */
export const idOf = (path: string): string => {
  const digits = hash('sha1', `carrel opds ${path}`, 'hex')
  const variant = ((Number.parseInt(digits.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `5${digits.slice(13, 16)}`, variant + digits.slice(18, 20)]
  return `urn:uuid:${parts.join('-')}-${digits.slice(20, 32)}`
}

export const newestOf = (items: readonly { readonly updated: string }[]): string =>
  items.reduce((latest, { updated }) => (updated > latest ? updated : latest), sinceEver)

/** It says at which address the caller reaches the catalogue, and what they may ask for in it. */
export interface FeedContext {
  readonly origin: string
  readonly basePath: string
  readonly permissions: ReadonlySet<Permission>
  /** Files come with their metadata in them: how long one is nobody knows before it is made. */
  readonly embedsMetadata?: boolean
  /** What is ours in a feed is said with these. */
  readonly texts: Texts
}

export type Version = 'v1' | 'v2'

export const hrefOf = (
  { basePath }: FeedContext,
  version: Version,
  { path, query = {}, requestedPath }: Target,
): string => {
  const beginning = version === 'v1' ? '/catalog' : ''
  return `${basePath}/opds/${version}${requestedPath ?? (path === '' ? beginning : path) + searchOf(query)}`
}

const searchOf = (query: Query): string => {
  const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return parameters.length > 0 ? `?${new URLSearchParams(parameters).toString()}` : ''
}

/** The pages beside the one that is shown. */
export const pageTargets = ({ self, paging }: Feed): readonly (readonly [string, Target])[] => {
  if (!paging) return []
  const { page, pageSize, total } = paging
  const last = Math.max(1, Math.ceil(total / pageSize))
  const at = (number: number): Target => (number === page ? self : pageTarget(self, number))
  return [
    ['first', at(1)],
    ...(page > 1 ? ([['previous', at(Math.min(page - 1, last))]] as const) : []),
    ...(page < last ? ([['next', at(page + 1)]] as const) : []),
    ['last', at(last)],
  ]
}

/** Everything else stays as it was asked, to the letter: applications recognise a list by its address. */
const pageTarget = (self: Target, page: number): Target => {
  const number = page === 1 ? undefined : page
  if (self.requestedPath === undefined) return { ...self, query: { ...self.query, page: number } }
  const [path = '', search = ''] = self.requestedPath.split('?')
  const parameters = search.split('&').filter((each) => each !== '' && !/^page(?:=|$)/.test(each))
  const parts = number === undefined ? parameters : [...parameters, `page=${number}`]
  return { ...self, requestedPath: parts.length === 0 ? path : `${path}?${parts.join('&')}` }
}

/** Every link of a list keeps how the list was asked for, as far as that differs from the default. */
export const targetOf = (path: string, { page, pageSize, ...rest }: Query): Target => ({
  path,
  query: {
    ...rest,
    pageSize: pageSize === pageSizeUsual ? undefined : pageSize,
    page: page === 1 ? undefined : page,
  },
})

export const mediaAddress = (
  { basePath }: FeedContext,
  { of, id, coverVersion }: Picture,
  what: 'cover' | 'thumbnail',
): string => {
  const address = `${basePath}/opds/v1/${of}/${id}/${what}`
  return coverVersion === undefined ? address : `${address}?v=${encodeURIComponent(coverVersion)}`
}

export const fileAddress = ({ basePath }: FeedContext, bookId: string, { name }: OfferedFile): string =>
  `${basePath}/opds/v1/books/${bookId}/file/${encodeURIComponent(name).replaceAll(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
