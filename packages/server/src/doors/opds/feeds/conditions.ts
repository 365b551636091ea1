import type { BookCondition, FileFormat, ReadStatus, SeriesCondition } from '@carrel/api'

export const allOf = <Condition extends BookCondition | SeriesCondition>(
  ...conditions: readonly (Condition | undefined)[]
): { readonly allOf: readonly Condition[] } | undefined => {
  const given = conditions.filter((each) => each !== undefined)
  return given.length === 0 ? undefined : { allOf: given }
}

const is = (value: string | undefined) => (value === undefined ? undefined : ({ operator: 'is', value } as const))

export const readCondition = (read: ReadStatus | undefined): BookCondition | undefined =>
  read && { readStatus: { operator: 'is', value: read } }

export const bookCondition = ({
  read,
  format,
  genre,
  tag,
  author,
}: {
  readonly read?: ReadStatus
  readonly format?: FileFormat
  readonly genre?: string
  readonly tag?: string
  readonly author?: string
}): BookCondition | undefined => {
  const [genreIs, tagIs, authorIs, formatIs] = [is(genre), is(tag), is(author), is(format)]
  return allOf<BookCondition>(
    readCondition(read),
    formatIs && { format: formatIs },
    genreIs && { genre: genreIs },
    tagIs && { tag: tagIs },
    authorIs && { author: authorIs },
  )
}

export const seriesCondition = ({
  genre,
  tag,
  author,
  publisher,
  language,
}: SeriesTerms): SeriesCondition | undefined => {
  const [genreIs, tagIs, authorIs, publisherIs] = [is(genre), is(tag), is(author), is(publisher)]
  const languageIs = is(language)
  return allOf<SeriesCondition>(
    genreIs && { genre: genreIs },
    tagIs && { tag: tagIs },
    authorIs && { author: authorIs },
    publisherIs && { publisher: publisherIs },
    languageIs && { language: languageIs },
  )
}

interface SeriesTerms {
  readonly genre?: string
  readonly tag?: string
  readonly author?: string
  readonly publisher?: string
  readonly language?: string
}
