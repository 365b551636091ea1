import { fileFormats, type FileFormat, type Permission, type ReadStatus } from '@carrel/api'
import type { Choice, Facet, FeedContext, Target } from '../feed.ts'
import { languageName } from '../entries/languages.ts'
import type { Texts } from '../../../texts/texts.ts'

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

const readStatuses = ['unread', 'in_progress', 'read'] as const satisfies readonly ReadStatus[]

type Order = 'title' | 'number' | 'new' | 'updated' | 'released' | 'read'

const orders = (texts: Texts, self: Target, offered: readonly Order[]): Facet =>
  facet(
    texts.say('facet.sort'),
    'sort',
    self,
    offered.map((value) => ({
      title: texts.say(`order.${value}`),
      value,
      ...(value === 'read' && { needs: 'progress:read' as const }),
    })),
  )

const formatTitles: Readonly<Record<Exclude<FileFormat, 'folder'>, string>> = {
  cbz: 'CBZ',
  cbr: 'CBR',
  cb7: 'CB7',
  cbt: 'CBT',
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
const formats = ({ say }: Texts, counts: FacetCounts['formats'] | undefined, chosen: unknown): readonly Option[] => [
  { title: say('facet.all'), value: undefined },
  ...fileFormats
    .filter((format) => !counts || format === chosen || counts.has(format))
    .map((format) => ({
      title: format === 'folder' ? say('folder') : formatTitles[format],
      value: format,
      count: counts?.get(format),
    })),
]

const readStatus = ({ say }: Texts, self: Target, counts?: FacetCounts['readStatuses']): Facet => {
  const options = readStatuses.map((value) => ({
    title: say(`readStatus.${value}`),
    value,
    count: counts && (counts.get(value) ?? 0),
  }))
  return {
    ...facet(say('facet.readStatus'), 'read', self, [{ title: say('facet.all'), value: undefined }, ...options]),
    needs: 'progress:read',
  }
}

export const booksOfSeriesFacets = (texts: Texts, self: Target): readonly Facet[] => [
  orders(texts, self, ['number', 'title', 'new', 'released', 'read']),
  readStatus(texts, self),
]

/** Where it is not known which languages exist, the chosen one can still be removed. */
const languages = (texts: Texts, counts: FacetCounts['languages'] | undefined, chosen: unknown): readonly Option[] => {
  const named = (value: string) => ({ title: languageName(value, texts.language), value })
  const counted = [...(counts ?? [])].map(([value, count]) => ({ ...named(value), count }))
  const isKnown = typeof chosen !== 'string' || counted.some(({ value }) => value === chosen)
  const others = isKnown ? counted : [...counted, named(chosen)]
  return others.length === 0 ? [] : [{ title: texts.say('facet.all'), value: undefined }, ...others]
}

export const bookFacets = (texts: Texts, self: Target, counts: FacetCounts | undefined): readonly Facet[] => [
  orders(texts, self, ['title', 'new', 'updated', 'released', 'read']),
  readStatus(texts, self, counts?.readStatuses),
  facet(texts.say('facet.format'), 'format', self, formats(texts, counts?.formats, self.query?.['format'])),
  facet(texts.say('facet.language'), 'language', self, languages(texts, counts?.languages, self.query?.['language'])),
]
