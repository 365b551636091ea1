import {
  BookMetadataPatch,
  fieldsOfBooks,
  fieldsOfSeries,
  type MatchedField,
  type MetadataFields,
  SeriesMetadataPatch,
} from '@carrel/api'
import type { BookMetadata, SeriesMetadata } from '@carrel/plugin-sdk/protocol'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import {
  cleanDateText,
  cleanLanguage,
  cleanLine,
  cleanList,
  cleanSummary,
} from '../../../formats/metadata/clean-text.ts'
import { cutText } from '../../../platform/text/cut-text.ts'
import type { Entity } from '../../../catalogue/metadata/metadata.ts'
import { fieldsOf } from '../applying/fields.ts'
import { idSourceOf, plainSource, type Provider } from './providers.ts'

/** What a plugin says of a series or a book, as we would keep it. Absent: nothing, or nothing that can be kept. */
export type Proposal = Readonly<Partial<Record<MatchedField, unknown>>>

type ProposedMetadata = SeriesMetadata & BookMetadata
const summaryMax = 20_000

export const proposalOf = (entity: Entity, provider: Provider, metadata: SeriesMetadata | BookMetadata): Proposal => {
  const fields: Readonly<Record<string, unknown>> = {
    ...asNamed(entity, metadata),
    ...(entity === 'series' ? seriesFields(provider, metadata) : bookFields(provider, metadata)),
  }
  const fitted = fieldsOf(entity).map((field) => [field, fitting(entity, field, fields[field])] as const)
  return Object.fromEntries(fitted.filter(([, value]) => value !== undefined))
}

/** What plugins call as we do, cleaned as its kind wants it. What does not fit its field is left out by whoever asks. */
const asNamed = (entity: Entity, metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const definitions: MetadataFields = entity === 'series' ? fieldsOfSeries : fieldsOfBooks
  return Object.fromEntries(fieldsOf(entity).map((field) => [field, cleaned(definitions[field], metadata[field])]))
}

const cleaned = (field: MetadataFields[string] | undefined, value: unknown): unknown => {
  if (field?.kind === 'line') return typeof value === 'string' ? cleanLine(value, field.maxLength) : undefined
  if (field?.kind === 'words') return Array.isArray(value) ? cleanList(value.filter(isText)) : undefined
  return value
}

const isText = (value: unknown): value is string => typeof value === 'string'

const sharedFields = (provider: Provider, metadata: ProposedMetadata) => ({
  summary: cutText(cleanSummary(metadata.summary ?? undefined) ?? '', summaryMax).trimEnd() || undefined,
  authors: peopleIn(metadata),
  externalLinks: (metadata.externalLinks ?? []).map(({ url, label }) => ({ source: cleanLine(label, 200), url })),
  externalIds: idsIn(provider, metadata),
  cover: addressOf(metadata.coverUrl),
})

const seriesFields = (provider: Provider, metadata: ProposedMetadata) => ({
  ...sharedFields(provider, metadata),
  alternateTitles: (metadata.alternateTitles ?? []).map(({ title, language, titleType }) => ({
    label: cleanLine(titleType ?? language ?? 'other', 200),
    title: cleanLine(title, 500),
  })),
  language: cleanLanguage(metadata.language ?? undefined),
  totalVolumeCount: metadata.totalVolumeCount ?? metadata.totalBookCount,
  externalRatings: ratingsIn(metadata),
})

const bookFields = (provider: Provider, metadata: ProposedMetadata) => ({
  ...sharedFields(provider, metadata),
  cover: addressOf(metadata.coverUrl ?? metadata.covers?.[0]?.url),
  ...dateIn(metadata),
  languageIso: cleanLanguage(metadata.language ?? undefined),
  isbns: [...new Set([metadata.isbn, ...(metadata.isbns ?? [])].flatMap((isbn) => isbnOf(isbn)))],
  awards: (metadata.awards ?? []).map(({ name, category, year, won }) => ({
    name: cleanLine(name, 200),
    category: cleanLine(category ?? undefined, 200) ?? null,
    year: year ?? null,
    won: won ?? null,
  })),
  communityRating: metadata.rating?.score === 0 ? undefined : metadata.rating?.score,
})

const dateIn = ({ releaseDate, year }: ProposedMetadata) => {
  const date = cleanDateText(releaseDate ?? undefined)
  return { year: date.year ?? year, month: date.month, day: date.day }
}

const isbnOf = (isbn: string | null | undefined): string[] => {
  const digits = (isbn ?? '').replace(/[\s-]/g, '').toUpperCase()
  return /^(?:\d{9}[\dX]|\d{13})$/.test(digits) ? [digits] : []
}

/** Each with each role once. */
const peopleIn = ({ authors, artists }: ProposedMetadata) => {
  const named = (authors ?? []).map((each) => (typeof each === 'string' ? { name: each } : each))
  const all = [...named, ...(artists ?? []).map((name) => ({ name, role: 'illustrator' }))] as readonly {
    name: string
    role?: string | null
    sortName?: string | null
  }[]
  const people = all.flatMap(({ name, role, sortName }) => {
    const clean = cleanLine(name, 200)
    const person = { name: clean, role: role ?? 'author', sortName: cleanLine(sortName ?? undefined, 200) ?? null }
    return clean === undefined ? [] : [person]
  })
  return [...new Map(people.map((person) => [`${person.role} ${person.name}`, person])).values()]
}

const idsIn = (provider: Provider, { externalId, externalUrl, externalIds }: ProposedMetadata) => {
  const own = { source: idSourceOf(provider), id: externalId, url: addressOf(externalUrl) ?? null }
  const others = (externalIds ?? []).map((each) => ({
    source: plainSource(each.source),
    id: each.externalId,
    url: null,
  }))
  return [own, ...others.filter(({ source }) => source !== own.source)]
}

const ratingsIn = ({ rating, externalRatings }: ProposedMetadata) => {
  const all = [...(rating ? [rating] : []), ...(externalRatings ?? [])]
  const bySource = new Map(all.map((each) => [each.source, each]))
  return [...bySource.values()].map(({ source, score, voteCount }) => ({
    source: plainSource(source),
    rating: score,
    votes: voteCount ?? null,
  }))
}

const addressOf = (url: string | null | undefined): string | undefined =>
  url != null && url.length <= 2000 && /^https?:\/\//.test(url) && URL.canParse(url) ? url : undefined

/** What does not fit the contract is as if it had not been said; of a list, what fits stays. */
const fitting = (entity: Entity, field: MatchedField, value: unknown): unknown => {
  if (value === undefined || value === null || field === 'cover') return value ?? undefined
  const { properties } = entity === 'series' ? SeriesMetadataPatch : BookMetadataPatch
  const schema = (properties as Readonly<Record<string, TSchema>>)[field]
  if (!schema) return undefined
  if (!Array.isArray(value)) return Check(schema, value) ? value : undefined
  const items: unknown[] = value.filter((item) => Check(schema, [item]))
  const isFew: boolean = Check(schema, items)
  const some = isFew ? items : items.slice(0, fewItems)
  return some.length > 0 ? some : undefined
}

/** No list is shorter at most. */
const fewItems = 20
