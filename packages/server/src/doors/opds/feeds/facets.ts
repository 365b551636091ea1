import { fileFormats, type FileFormat, type Permission, type ReadStatus } from '@carrel/api'
import type { Choice, Facet, FeedContext, Target } from '../feed.ts'
import { languageName } from '../entries/languages.ts'

interface Option {
  readonly title: string
  readonly value: string | undefined
  readonly needs?: Permission
  readonly count?: number | undefined
}

/** Each choice keeps the others that have been made, and begins at the first page. */
const facet = (title: string, parameter: string, self: Target, options: readonly Option[]): Facet => {
  const { path, query = {} } = self
  const chosen = query[parameter]
  return {
    title,
    choices: options.map(({ title, value, needs, count }, index) => ({
      title,
      needs,
      count,
      target: { path, query: { ...query, [parameter]: value, page: undefined } },
      isActive: value === chosen || (index === 0 && chosen === undefined),
    })),
  }
}

/** It leaves out choices that would reveal what the caller may not read. */
export const offeredChoices = (
  { permissions }: Pick<FeedContext, 'permissions'>,
  { needs, choices }: Pick<Facet, 'choices'> & { readonly needs?: Permission | undefined },
): readonly Choice[] => {
  const mayRead = (needed: Permission | undefined) => needed === undefined || permissions.has(needed)
  return mayRead(needs) ? choices.filter((choice) => mayRead(choice.needs)) : []
}

const readStatuses = [
  { title: 'Unread', value: 'unread' },
  { title: 'Reading', value: 'in_progress' },
  { title: 'Read', value: 'read' },
] as const satisfies readonly { title: string; value: ReadStatus }[]
const orders = {
  title: { title: 'Title', value: 'title' },
  number: { title: 'Number', value: 'number' },
  new: { title: 'Newest', value: 'new' },
  updated: { title: 'Updated', value: 'updated' },
  released: { title: 'Published', value: 'released' },
  read: { title: 'Last read', value: 'read', needs: 'progress:read' },
} as const

const formatTitles: Readonly<Record<FileFormat, string>> = {
  cbz: 'CBZ',
  cbr: 'CBR',
  cb7: 'CB7',
  cbt: 'CBT',
  folder: 'Folder of pictures',
  epub: 'EPUB',
  pdf: 'PDF',
  mobi: 'Kindle (MOBI)',
  azw3: 'Kindle (AZW3)',
  fb2: 'FB2',
}

/** It counts the books of each kind. */
export interface FacetCounts {
  readonly readStatuses: ReadonlyMap<string, number>
  readonly formats: ReadonlyMap<string, number>
  readonly languages: ReadonlyMap<string, number>
}

/** It lists the formats that exist; all of them where that is not known. */
const formats = (counts: FacetCounts['formats'] | undefined, chosen: unknown): readonly Option[] => [
  { title: 'All', value: undefined },
  ...fileFormats
    .filter((format) => !counts || format === chosen || counts.has(format))
    .map((format) => ({ title: formatTitles[format], value: format, count: counts?.get(format) })),
]

const readStatus = (self: Target, counts?: FacetCounts['readStatuses']): Facet => {
  const options = readStatuses.map((each) => ({ ...each, count: counts && (counts.get(each.value) ?? 0) }))
  return {
    ...facet('Read status', 'read', self, [{ title: 'All', value: undefined }, ...options]),
    needs: 'progress:read',
  }
}

export const booksOfSeriesFacets = (self: Target): readonly Facet[] => [
  facet('Sort by', 'sort', self, [orders.number, orders.title, orders.new, orders.released, orders.read]),
  readStatus(self),
]

/** Where it is not known which languages exist, the chosen one can still be removed. */
const languages = (counts: FacetCounts['languages'] | undefined, chosen: unknown): readonly Option[] => {
  const known = [...(counts ?? [])].map(([value, count]) => ({ title: languageName(value), value, count }))
  const isKnown = typeof chosen !== 'string' || known.some(({ value }) => value === chosen)
  const others = isKnown ? known : [...known, { title: languageName(chosen), value: chosen }]
  return others.length === 0 ? [] : [{ title: 'All', value: undefined }, ...others]
}

export const bookFacets = (self: Target, counts: FacetCounts | undefined): readonly Facet[] => [
  facet('Sort by', 'sort', self, [orders.title, orders.new, orders.updated, orders.released, orders.read]),
  readStatus(self, counts?.readStatuses),
  facet('Format', 'format', self, formats(counts?.formats, self.query?.['format'])),
  facet('Language', 'language', self, languages(counts?.languages, self.query?.['language'])),
]
