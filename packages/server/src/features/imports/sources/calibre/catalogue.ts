import { koreaderFingerprint } from '../../../../formats/fingerprints.ts'
import { openLibraryFile } from '../../../../platform/storage/library-files.ts'
import { type BookRecord, type ForeignRecord, recordLimits } from '../../records.ts'
import { fileBeside } from '../beside.ts'
import { rowsOf, textsOf } from '../json-lists.ts'
import type { StoreRow } from '../sqlite.ts'
import { idText, soundPath, textOf, truthOf, wholeOf } from '../values.ts'
import { metadataOf, numberOfBook } from './metadata.ts'
import { libraryId, type OpenStore, ownSeriesOf } from './open-store.ts'
import { selectBooks, selectSeries } from './queries.ts'

export function* librariesIn({ folder }: OpenStore): Generator<ForeignRecord> {
  yield {
    type: 'library',
    id: libraryId,
    name: 'calibre',
    roots: folder === null ? [] : [folder],
    grouping: { policy: 'calibre', config: {} },
    readingDirection: null,
  }
}

/** A tag by which somebody's sight is restricted restricts here as a label of the series. */
const labelsOf = ({ people }: OpenStore, row: StoreRow): readonly string[] =>
  textsOf(row['tags']).filter((tag) => people.labels.has(tag.toLowerCase()))

export function* seriesIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectSeries(store.db)) {
    const title = textOf(row['name'])
    if (title === null) store.passed.add('series without a name', 'invalid', idText(row['id']))
    else yield seriesOf(idText(row['id']), title, labelsOf(store, row), false)
  }
}

const seriesOf = (id: string, title: string, labels: readonly string[], isOneShot: boolean): ForeignRecord => ({
  type: 'series',
  id,
  // Books of one calibre may lie in several of our libraries, for it keeps copies of its own: all of ours are searched.
  library: null,
  title,
  otherTitles: [],
  // Folders are those of authors and of books.
  folder: null,
  isOneShot,
  labels,
  metadata: {},
})

export function* booksIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectBooks(store.db, store.columns)) {
    const id = idText(row['id'])
    store.books.add(Number(row['id']))
    const title = textOf(row['title'])
    if (row['series'] === null) yield seriesOf(ownSeriesOf(id), title ?? id, labelsOf(store, row), true)
    if (truthOf(row['hasCover'])) store.passed.add('covers that calibre keeps beside each book', 'not_a_persons_word')
    yield bookOf(store, row, title)
    const rating = wholeOf(row['rating'], 1, 10)
    // Ten halves of a star.
    if (rating !== null)
      yield { type: 'rating', user: store.people.owner, of: { book: id }, rating: rating * 10, review: null, at: null }
  }
}

const bookOf = (store: OpenStore, row: StoreRow, title: string | null): BookRecord => {
  const id = idText(row['id'])
  const files = filesOf(row)
  if (files.length === 0) store.passed.add('books without a file', 'not_in_store', title)
  return {
    type: 'book',
    id,
    series: row['series'] === null ? ownSeriesOf(id) : idText(row['series']),
    library: null,
    path: files[0]?.path ?? null,
    size: files[0]?.size ?? null,
    hashes: files.flatMap(({ path }) => hashOf(store, path)),
    seriesTitle: textOf(row['seriesName']),
    number: numberOfBook(row),
    volume: null,
    title,
    pages: null,
    isDeleted: false,
    metadata: metadataOf(row, store.columns),
  }
}

/** Several formats are one book there, as they are here. */
const preferred = ['EPUB', 'KEPUB', 'CBZ', 'CBR', 'CB7', 'PDF', 'AZW3', 'MOBI', 'FB2']

const rankOf = (format: string): number => {
  const rank = preferred.indexOf(format)
  return rank < 0 ? preferred.length : rank
}

/** The names in paths are cut and made ASCII: only the database knows them. */
const filesOf = (row: StoreRow) => {
  const folder = textOf(row['folder'])
  return rowsOf(row['formats'])
    .flatMap(([format, name, size]) => {
      const [kind, stem] = [textOf(format)?.toUpperCase() ?? null, textOf(name)]
      const path =
        folder === null || kind === null || stem === null ? null : soundPath(`${folder}/${stem}.${kind.toLowerCase()}`)
      if (kind === null || path === null) return []
      return [{ kind, path, size: wholeOf(size, 0, Number.MAX_SAFE_INTEGER) }]
    })
    .toSorted((a, b) => rankOf(a.kind) - rankOf(b.kind))
    .slice(0, recordLimits.entries)
}

/**
 * Calibre keeps no hashes, but the files may lie beside its database. Of each a few pieces are read and not the whole, for there can be a
 * hundred thousand of them, and ours are known by the same digest.
 */
const hashOf = ({ folder, passed }: OpenStore, path: string) => {
  const coverFile = fileBeside(folder, [path])
  if (coverFile === undefined) {
    if (folder !== null) passed.add('files that are not in the folder of the library', 'not_in_store', path)
    return []
  }
  const file = openLibraryFile(coverFile.path)
  try {
    return [{ kind: 'koreader' as const, value: koreaderFingerprint(file) }]
  } finally {
    file.close()
  }
}
