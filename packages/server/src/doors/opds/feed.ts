import { hash } from 'node:crypto'
import type { BookDto, SeriesDto } from '@carrel/api'
import { inDigits } from '../../http/links.ts'
import type { OfferedFile } from './book-files.ts'

/** What a feed says, whichever version it is written in. */
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
  readonly paging?: { readonly page: number; readonly pageSize: number; readonly total: number }
  /** Shown by version 2 only, where a feed may hold several things. */
  readonly groups?: readonly Group[]
}

/** Of the catalogue, whichever version: `/series/…`; the beginning is empty. */
export interface Target {
  readonly path: string
  readonly query?: Query
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
  readonly series?: Pick<SeriesDto, 'id' | 'coverVersion'>
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
  readonly file: OfferedFile
  readonly hasPages: boolean
}

export interface Facet {
  readonly title: string
  readonly choices: readonly { readonly title: string; readonly target: Target; readonly isActive: boolean }[]
}

export interface Group {
  readonly title: string
  readonly target: Target
  readonly entries?: readonly Entry[]
  readonly publications?: readonly Publication[]
}

/** What is part of the catalogue itself has been there from the beginning. */
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

/** Where the catalogue is for whoever asks. */
export interface Place {
  readonly origin: string
  readonly basePath: string
}

export type Version = 'v1' | 'v2'

export const hrefOf = ({ basePath }: Place, version: Version, { path, query = {} }: Target): string => {
  const beginning = version === 'v1' ? '/catalog' : ''
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, typeof value === 'number' ? inDigits(value) : value]],
    ),
  )
  const search = parameters.size > 0 ? `?${parameters.toString()}` : ''
  return `${basePath}/opds/${version}${path === '' ? beginning : path}${search}`
}

/** The pages beside the one that is shown. */
export const pageTargets = ({ self, paging }: Feed): readonly (readonly [string, Target])[] => {
  if (!paging) return []
  const { page, pageSize, total } = paging
  const last = Math.max(1, Math.ceil(total / pageSize))
  const at = (page: number): Target => ({ ...self, query: { ...self.query, page: page === 1 ? undefined : page } })
  return [
    ['first', at(1)],
    ...(page > 1 ? ([['previous', at(Math.min(page - 1, last))]] as const) : []),
    ...(page < last ? ([['next', at(page + 1)]] as const) : []),
    ['last', at(last)],
  ]
}

/** Kept in every link of a list: how it was asked for, as far as that is not as usual. */
export const askedFor = (path: string, { page, pageSize, ...rest }: Query): Target => ({
  path,
  query: {
    ...rest,
    pageSize: pageSize === pageSizeUsual ? undefined : pageSize,
    page: page === 1 ? undefined : page,
  },
})

export const mediaAddress = (
  { basePath }: Place,
  of: 'books' | 'series',
  { id, coverVersion }: { readonly id: string; readonly coverVersion: string },
  what: 'cover' | 'thumbnail',
): string => `${basePath}/opds/v1/${of}/${id}/${what}?v=${encodeURIComponent(coverVersion)}`

export const fileAddress = ({ basePath }: Place, { book, file }: Publication): string =>
  `${basePath}/opds/v1/books/${book.id}/file/${encodeURIComponent(file.name).replaceAll(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
