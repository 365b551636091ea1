import type { ForeignRecord, HashKind, LibraryRecord } from '../../records.ts'
import { objectOf, textsOf } from '../json-lists.ts'
import { numberText } from '../numbers.ts'
import type { StoreRow } from '../sqlite.ts'
import { numberOf, pathBelow, soundPath, textOf, truthOf, wholeOf } from '../values.ts'
import { uuidOf } from './ids.ts'
import { alternateTitlesOf, columnsOfBooks, columnsOfSeries, metadataOfBook, metadataOfSeries } from './metadata.ts'
import type { OpenStore } from './open-store.ts'
import { selectBooks, selectLibraries, selectSeries } from './queries.ts'

export function* librariesIn({ db, roots, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectLibraries(db)) {
    const id = uuidOf(row['id'])
    if (id === null) {
      passed.add('libraries without an id', 'invalid', textOf(row['name']))
      continue
    }
    const root = textOf(row['path'])?.replace(/(?<=.)\/+$/, '') ?? null
    if (root !== null) roots.set(id, root)
    yield {
      type: 'library',
      id,
      name: textOf(row['name']) ?? id,
      roots: root === null ? [] : [root],
      grouping: groupingOf(row),
      readingDirection: directions[(textOf(row['direction']) ?? '').toLowerCase()] ?? null,
    }
  }
}

const directions: Readonly<Record<string, LibraryRecord['readingDirection']>> = {
  left_to_right: 'ltr',
  right_to_left: 'rtl',
  vertical: 'ttb',
  top_to_bottom: 'ttb',
  webtoon: 'webtoon',
  ltr: 'ltr',
  rtl: 'rtl',
  ttb: 'ttb',
}

const policies: Readonly<Record<string, string>> = {
  series_volume: 'top_folder',
  series_volume_chapter: 'volume_folders',
  flat: 'flat',
  calibre: 'calibre',
}

/** Patterns of their own are in another syntax. */
const groupingOf = (row: StoreRow): LibraryRecord['grouping'] => {
  const strategy = textOf(row['strategy']) ?? ''
  if (strategy === 'publisher_hierarchy') {
    const config = objectOf(row['config'])
    const depth = wholeOf(config?.['skipDepth'] ?? config?.['skip_depth'], 1, 8) ?? 1
    const skipped = Array.from({ length: depth }, (_, index) => (index === 0 ? 'publisher' : 'skip'))
    return { policy: 'publisher_folders', config: { levels: [...skipped, 'series'] } }
  }
  const policy = policies[strategy]
  return policy === undefined ? null : { policy, config: {} }
}

export function* seriesIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectSeries(db, columnsOfSeries)) {
    const id = uuidOf(row['id'])
    const name = textOf(row['name'])
    const title = textOf(row['title']) ?? name
    if (id === null || title === null) {
      passed.add('series without an id or a title', 'invalid', title)
      continue
    }
    const alternate = alternateTitlesOf(row).map((each) => each.title)
    const others = [...(name === null ? [] : [name]), ...alternate, ...textsOf(row['aliases'])]
    yield {
      type: 'series',
      id,
      library: uuidOf(row['library']),
      title,
      otherTitles: [...new Set(others)].filter((each) => each !== title),
      // It is relative to the library, where the path of a book is absolute.
      folder: soundPath(textOf(row['path']) ?? ''),
      isOneShot: false,
      labels: textsOf(row['labels']),
      metadata: metadataOfSeries(row),
    }
  }
}

export function* booksIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectBooks(store.db, columnsOfBooks)) {
    const id = uuidOf(row['id'])
    const library = uuidOf(row['library'])
    const path = textOf(row['path'])
    if (id === null) {
      store.passed.add('books without an id', 'invalid', path)
      continue
    }
    const root = store.roots.get(library ?? '')
    const below = root === undefined || path === null ? null : pathBelow(root, path) || null
    if (below === null) store.passed.add('paths that are not in the folder of their library', 'invalid', path)
    yield {
      type: 'book',
      id,
      series: uuidOf(row['series']),
      library,
      path: below,
      size: wholeOf(row['size'], 0, Number.MAX_SAFE_INTEGER),
      hashes: [
        ...hashOf(row['fileHash'], 'sha256'),
        ...hashOf(row['partialHash'], 'sha256-1mib'),
        ...hashOf(row['koreaderHash'], 'koreader'),
      ],
      seriesTitle: textOf(row['seriesTitle']),
      number: numberText(numberOf(row['number'], -1000, 1_000_000)),
      volume: numberText(numberOf(row['volume'], -1000, 1_000_000)),
      title: textOf(row['title']),
      pages: wholeOf(row['pages'], 1, 10_000_000),
      isDeleted: truthOf(row['isDeleted']),
      metadata: metadataOfBook(row),
    }
  }
}

const lengths: Partial<Record<HashKind, number>> = { sha256: 64, 'sha256-1mib': 64, koreader: 32 }

/** A file that was not read yet has an empty one. */
const hashOf = (value: unknown, kind: HashKind) => {
  const text = textOf(value)?.toLowerCase() ?? ''
  return text.length === lengths[kind] && /^[0-9a-f]+$/.test(text) ? [{ kind, value: text }] : []
}
