import { type BookRecord, type ForeignRecord, type Position, recordLimits, type SeriesRecord } from '../../records.ts'
import { type Answer, askJson, objectIn, objectsIn } from '../asking.ts'
import { isObject } from '../json-lists.ts'
import { instantOf, numberOf, textOf, truthOf, wholeOf } from '../values.ts'
import { allOf, type KomgaSession, belowRoot, idIn } from './komga-session.ts'
import { dateOf, digits, directions, valuesOf, statuses } from './words.ts'

const wordsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? [...new Set(value.slice(0, recordLimits.entries).flatMap((each) => textOf(each, 200) ?? []))]
    : []

const pairsIn = (value: unknown, from: readonly [string, string], to: readonly [string, string]) =>
  objectsIn(value)
    .slice(0, recordLimits.entries)
    .flatMap((each): Record<string, string>[] => {
      const [label, text] = [textOf(each[from[0]], 100), textOf(each[from[1]], 2000)]
      return label === null || text === null ? [] : [{ [to[0]]: label, [to[1]]: text }]
    })

const linksIn = (value: unknown) => pairsIn(value, ['label', 'url'], ['source', 'url'])

export async function* askedSeries(komga: KomgaSession): AsyncGenerator<ForeignRecord> {
  for await (const each of allOf(komga, 'series')) yield toSeries(each, komga)
}

const toSeries = (series: Answer, komga: KomgaSession): SeriesRecord => {
  const words = objectIn(series['metadata'])
  const library = idIn(series['libraryId'])
  const name = textOf(series['name'])
  const title = textOf(words['title']) ?? name ?? ''
  const titles = pairsIn(words['alternateTitles'], ['label', 'title'], ['label', 'title'])
  const isOneShot = truthOf(series['oneshot'])
  return {
    type: 'series',
    id: idIn(series['id']) ?? '',
    library,
    title,
    otherTitles: [...new Set([...(name === null ? [] : [name]), ...titles.map((each) => String(each['title']))])],
    folder: isOneShot ? null : belowRoot(komga, library, series['url']),
    isOneShot,
    labels: wordsIn(words['sharingLabels']),
    metadata: valuesOf({
      title: [title, words['titleLock']],
      titleSort: [textOf(words['titleSort']), words['titleSortLock']],
      status: [statuses[String(words['status'])] ?? null, words['statusLock']],
      publisher: [textOf(words['publisher'], 300), words['publisherLock']],
      readingDirection: [directions[String(words['readingDirection'])] ?? null, words['readingDirectionLock']],
      ageRating: [wholeOf(words['ageRating'], 0, 100), words['ageRatingLock']],
      summary: [textOf(words['summary'], recordLimits.prose), words['summaryLock']],
      language: [textOf(words['language'], 35), words['languageLock']],
      genres: [wordsIn(words['genres']), words['genresLock']],
      tags: [wordsIn(words['tags']), words['tagsLock']],
      totalVolumeCount: [wholeOf(words['totalBookCount'], 0, 100_000), words['totalBookCountLock']],
      externalLinks: [linksIn(words['links']), words['linksLock']],
      alternateTitles: [titles, words['alternateTitlesLock']],
    }),
  }
}

/** Each book, and how far the owner of the key is in it. */
export async function* askedBooks(komga: KomgaSession): AsyncGenerator<ForeignRecord> {
  for await (const each of allOf(komga, 'books')) {
    yield toBook(each, komga)
    if (isObject(each['readProgress'])) yield* progressOf(each, each['readProgress'], komga)
  }
}

const toBook = (book: Answer, komga: KomgaSession): BookRecord => {
  const [words, media] = [objectIn(book['metadata']), objectIn(book['media'])]
  const library = idIn(book['libraryId'])
  const isbn = textOf(words['isbn'], 20)
  const hash = digits(book['fileHash'])
  return {
    type: 'book',
    id: idIn(book['id']) ?? '',
    series: idIn(book['seriesId']),
    library,
    path: belowRoot(komga, library, book['url']) || null,
    size: wholeOf(book['sizeBytes'], 1, Number.MAX_SAFE_INTEGER),
    hashes: hash === '' ? [] : [{ kind: 'xxh3-128', value: hash }],
    seriesTitle: textOf(book['seriesTitle']),
    number: textOf(words['number'], 32),
    volume: null,
    title: textOf(words['title']) ?? textOf(book['name']),
    pages: isFlowing(media) ? null : wholeOf(media['pagesCount'], 1, 10_000_000),
    isDeleted: truthOf(book['deleted']),
    metadata: valuesOf({
      title: [textOf(words['title']), words['titleLock']],
      number: [textOf(words['number'], 32), words['numberLock']],
      numberSort: [numberOf(words['numberSort'], 0, 1_000_000), words['numberSortLock']],
      ...dateOf(words['releaseDate'], words['releaseDateLock']),
      summary: [textOf(words['summary'], recordLimits.prose), words['summaryLock']],
      authors: [pairsIn(words['authors'], ['role', 'name'], ['role', 'name']), words['authorsLock']],
      tags: [wordsIn(words['tags']), words['tagsLock']],
      isbns: [isbn === null ? [] : [isbn], words['isbnLock']],
      externalLinks: [linksIn(words['links']), words['linksLock']],
    }),
  }
}

const isFlowing = (media: Answer): boolean => (textOf(media['mediaType']) ?? '').startsWith('application/epub')

async function* progressOf(book: Answer, state: Answer, komga: KomgaSession): AsyncGenerator<ForeignRecord> {
  const id = idIn(book['id'])
  const media = objectIn(book['media'])
  const isCompleted = truthOf(state['completed'])
  const pages = wholeOf(media['pagesCount'], 1, 10_000_000)
  const page = wholeOf(state['page'], 0, 10_000_000)
  if (id === null || (page === null && !isCompleted)) {
    komga.passedOver.add('states of reading that say nothing', 'invalid', id)
    return
  }
  const at = instantOf(state['readDate']) ?? instantOf(state['lastModified'])
  const startedAt = instantOf(state['created'])
  const position = isFlowing(media)
    ? await flowingPosition(komga, id, {
        isCompleted,
        share: page === null || pages === null ? null : Math.min(1, page / pages),
      })
    : { page: page === 0 ? 1 : page, fraction: null, locator: null }
  yield {
    type: 'progress',
    user: komga.userId,
    book: id,
    position,
    pages,
    isCompleted,
    startedAt: startedAt !== null && at !== null && startedAt > at ? at : startedAt,
    at,
    completedAt: isCompleted ? at : null,
  }
}

interface InFlow {
  readonly isCompleted: boolean
  readonly share: number | null
}

/** The pages of a flowing book mean nothing elsewhere: where one is in it stands apart. */
const flowingPosition = async (
  { source }: KomgaSession,
  id: string,
  { isCompleted, share }: InFlow,
): Promise<Position> => {
  const sent = isCompleted ? undefined : objectIn(await askJson(source, `/api/v1/books/${id}/progression`))['locator']
  const locator = isObject(sent) && JSON.stringify(sent).length <= recordLimits.prose ? sent : null
  const progression = numberOf(objectIn(locator?.['locations'])['totalProgression'], 0, 1)
  return { page: null, fraction: progression ?? share, locator }
}
