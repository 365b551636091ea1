import type { BookMetadata, SearchResult } from '@carrel/plugin-sdk'
import { type Doc, type Edition, idIn, type Service, type Work } from './service.ts'

const coversUrl = 'https://covers.openlibrary.org/b/id'
const subjectsMax = 20

export const resultOf = (doc: Doc, relevanceScore: number): SearchResult => ({
  externalId: idIn(doc.key),
  title: doc.title,
  alternateTitles: [],
  year: doc.first_publish_year,
  coverUrl: doc.cover_i === undefined ? undefined : `${coversUrl}/${doc.cover_i}-M.jpg`,
  relevanceScore,
  preview: { genres: (doc.subject ?? []).slice(0, 5), authors: doc.author_name ?? [] },
})

export const resultOfEdition = (edition: Edition, authors: readonly string[]): SearchResult => ({
  externalId: idIn(edition.key),
  title: edition.title,
  alternateTitles: [],
  year: yearIn(edition.publish_date),
  coverUrl: coversOf(edition.covers)[0]?.url,
  relevanceScore: 1,
  preview: { genres: [], authors: [...authors] },
})

export const bookOfWork = (work: Work, authors: readonly string[], { addressOf }: Service): BookMetadata => ({
  ...whatBothHave(work, authors),
  externalUrl: addressOf(`works/${idIn(work.key)}`),
  year: yearIn(work.first_publish_date),
  originalYear: yearIn(work.first_publish_date),
  externalIds: [{ source: 'api:openlibrary', externalId: idIn(work.key) }],
})

export const bookOfEdition = (
  edition: Edition,
  work: Work | undefined,
  authors: readonly string[],
  { addressOf }: Service,
): BookMetadata => {
  const isbns = [...(edition.isbn_13 ?? []), ...(edition.isbn_10 ?? [])]
  return {
    ...whatBothHave(
      { ...work, ...edition, subjects: work?.subjects, description: edition.description ?? work?.description },
      authors,
    ),
    externalUrl: addressOf(`books/${idIn(edition.key)}`),
    year: yearIn(edition.publish_date),
    originalYear: yearIn(work?.first_publish_date),
    originalTitle: work && work.title !== edition.title ? work.title : undefined,
    publisher: edition.publishers?.[0],
    pageCount: edition.number_of_pages,
    edition: edition.edition_name,
    language: languageOf(edition.languages?.[0]?.key),
    isbn: isbns[0],
    isbns,
    externalIds: [edition.key, ...(work ? [work.key] : [])].map((key) => ({
      source: 'api:openlibrary',
      externalId: idIn(key),
    })),
  }
}

interface Described {
  readonly key: string
  readonly title: string
  readonly subtitle?: string | undefined
  readonly description?: string | { readonly value: string } | undefined
  readonly subjects?: readonly string[] | undefined
  readonly covers?: readonly number[] | undefined
}

const whatBothHave = (
  { key, title, subtitle, description, subjects, covers }: Described,
  authors: readonly string[],
) => ({
  externalId: idIn(key),
  title,
  subtitle,
  summary: typeof description === 'object' ? description.value : description,
  subjects: (subjects ?? []).slice(0, subjectsMax),
  authors: authors.map((name) => ({ name, role: 'author' })),
  coverUrl: coversOf(covers)[0]?.url,
  covers: coversOf(covers),
})

/** Minus one stands for a cover that was taken away. */
const coversOf = (covers: readonly number[] = []) =>
  covers.filter((id) => id > 0).map((id) => ({ url: `${coversUrl}/${id}-L.jpg`, size: 'large' }))

/** "October 1, 1988", "1988", "1988-10". */
const yearIn = (date: string | undefined): number | undefined => {
  const year = /\b(1[0-9]{3}|20[0-9]{2})\b/.exec(date ?? '')?.[1]
  return year === undefined ? undefined : Number(year)
}

const languages: Readonly<Record<string, string>> = {
  chi: 'zh',
  cze: 'cs',
  dan: 'da',
  dut: 'nl',
  eng: 'en',
  fin: 'fi',
  fre: 'fr',
  ger: 'de',
  gre: 'el',
  hun: 'hu',
  ita: 'it',
  jpn: 'ja',
  kor: 'ko',
  nor: 'no',
  pol: 'pl',
  por: 'pt',
  rus: 'ru',
  spa: 'es',
  swe: 'sv',
  tur: 'tr',
  ukr: 'uk',
}

const languageOf = (key: string | undefined): string | undefined => languages[key?.split('/').at(-1) ?? '']
