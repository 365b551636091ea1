import { type BookRecord, type ForeignRecord, recordLimits } from '../../records.ts'
import { textsOf } from '../json-lists.ts'
import { numberText } from '../numbers.ts'
import type { StoreRow } from '../sqlite.ts'
import { idText, numberOf, pathBelow, textOf, truthOf, wholeOf } from '../values.ts'
import { hasLockWithoutField, metadataOfChapter, metadataOfSeries } from './metadata.ts'
import type { OpenStore } from './open-store.ts'
import { selectFiles, selectLibraries, selectSeries } from './queries.ts'

export function* librariesIn({ db, roots }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectLibraries(db)) {
    const id = idText(row['id'])
    const folders = textsOf(row['roots']).map((root) => root.replace(/(?<=.)\/+$/, ''))
    roots.set(id, folders)
    const name = textOf(row['name']) ?? id
    yield { type: 'library', id, name, roots: folders, grouping: null, readingDirection: null }
  }
}

export function* seriesIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectSeries(store.db)) {
    const title = textOf(row['name'])
    if (title === null) {
      store.passed.add('series without a name', 'invalid', idText(row['id']))
      continue
    }
    if (hasLockWithoutField(row, 'series'))
      store.passed.add('locked characters, translators, teams and places of series', 'no_such_thing', title)
    const otherTitles = [row['localizedName'], row['originalName']].flatMap((each) => textOf(each) ?? [])
    yield {
      type: 'series',
      id: idText(row['id']),
      library: idText(row['library']),
      title,
      otherTitles: [...new Set(otherTitles)].filter((each) => each !== title),
      folder: belowRoot(store, row, textOf(row['folder'])),
      isOneShot: false,
      labels: [],
      metadata: metadataOfSeries(row),
    }
  }
}

/** A library has several folders, and one can lie in another: the longest that fits is the one. */
const belowRoot = ({ roots }: OpenStore, row: StoreRow, path: string | null): string | null => {
  if (path === null) return null
  const below = (roots.get(idText(row['library'])) ?? [])
    .toSorted((a, b) => b.length - a.length)
    .map((root) => pathBelow(root, path === root ? `${root}/` : path))
  return below.find((each) => each !== null) ?? null
}

/**
 * Progress there belongs to a chapter, and a chapter can be spread over several files. Each file is a book here, so such a chapter is several,
 * and what is said of its pages is said of the file in which the page is.
 */
export function* booksIn(store: OpenStore): Generator<ForeignRecord> {
  let files: StoreRow[] = []
  for (const row of selectFiles(store.db)) {
    if (files[0] !== undefined && files[0]['chapter'] !== row['chapter']) {
      yield* booksOfChapter(store, files)
      files = []
    }
    if (files.length < recordLimits.entries) files.push(row)
    else store.passed.add(`files of one chapter beyond ${recordLimits.entries}`, 'too_much', textOf(row['path']))
  }
  if (files.length > 0) yield* booksOfChapter(store, files)
}

function* booksOfChapter(store: OpenStore, files: readonly StoreRow[]): Generator<BookRecord> {
  const [first] = files
  if (first === undefined) return
  const chapter = String(first['chapter'])
  if (hasLockWithoutField(first, 'chapter'))
    store.passed.add('locked teams and places of books', 'no_such_thing', textOf(first['title']))
  const isSplit = files.length > 1 && store.parts.size < chaptersInPartsMax
  if (files.length > 1 && !isSplit) store.passed.add('further files of chapters', 'too_much', textOf(first['path']))
  if (!isSplit) {
    yield { ...bookOf(store, first), id: chapter }
    return
  }
  const parts = files.map((row) => ({
    book: `${chapter}.${idText(row['file'])}`,
    pages: pagesOf(row['filePages']) ?? 0,
  }))
  store.parts.set(chapter, parts)
  for (const [index, row] of files.entries())
    yield { ...bookOf(store, row), id: parts[index]?.book ?? chapter, pages: pagesOf(row['filePages']) }
}

/** The map of them is kept while the store is read. */
const chaptersInPartsMax = 50_000

const pagesOf = (value: unknown): number | null => wholeOf(value, 1, 10_000_000)

/** KOReader's digest has twelve pieces, the last at 1 GiB; Kavita takes eleven. */
const koreaderHashBytesMax = 1024 ** 3

const bookOf = (store: OpenStore, row: StoreRow): BookRecord => {
  const path = textOf(row['path'])
  const below = belowRoot(store, row, path) || null
  if (path !== null && below === null) store.passed.add('paths that are in no folder of their library', 'invalid', path)
  if (row['series'] === null) store.passed.add('chapters without a series', 'invalid', path)
  const size = wholeOf(row['bytes'], 0, Number.MAX_SAFE_INTEGER)
  const hash = textOf(row['koreaderHash'])?.toLowerCase() ?? ''
  const isHashed = /^[0-9a-f]{32}$/.test(hash) && (size === null || size <= koreaderHashBytesMax)
  const isSpecial = truthOf(row['isSpecial'])
  const volume = rangeOf(row['minVolume'], row['maxVolume'])
  const chapter = rangeOf(row['minNumber'], row['maxNumber'])
  return {
    type: 'book',
    id: '',
    series: row['series'] === null ? null : idText(row['series']),
    library: row['library'] === null ? null : idText(row['library']),
    path: below,
    size,
    hashes: isHashed ? [{ kind: 'koreader', value: hash }] : [],
    seriesTitle: textOf(row['seriesName']),
    // A volume that is one file has no chapters: its number is that of the volume.
    number: isSpecial ? null : (chapter ?? volume),
    volume: isSpecial ? null : volume,
    title: textOf(row['title']) ?? (isSpecial ? textOf(row['range']) : null),
    pages: pagesOf(row['pages']),
    isDeleted: false,
    metadata: metadataOfChapter(row),
  }
}

/** That much below or above nothing says "none" of volumes and chapters, and "special" of volumes. */
const noNumber = 100_000

const rangeOf = (least: unknown, most: unknown): string | null => {
  const from = numberOf(least, -1000, noNumber - 1)
  const to = numberOf(most, -1000, noNumber - 1)
  if (from === null) return null
  return to === null || to <= from ? numberText(from) : `${numberText(from)}-${numberText(to)}`
}
