import type { ForeignRecord, LibraryRecord, SourceValues } from '../../records.ts'
import { recordLimits } from '../../records.ts'
import { textsOf } from '../json-lists.ts'
import { numberText } from '../numbers.ts'
import type { StoreRow } from '../sqlite.ts'
import { numberOf, pathBelow, textOf, truthOf, wholeOf } from '../values.ts'
import type { OpenStore } from './open-store.ts'
import { selectBooks, selectLibraries, selectSeries } from './queries.ts'

/** A series is either every folder with books in it, or everything below a folder of the first level. */
const policies: Readonly<Record<string, string>> = { SERIES_BASED: 'folder', COLLECTION_BASED: 'top_folder' }

export function* librariesIn({ db, roots, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectLibraries(db)) {
    const [id, root] = [textOf(row['id']), textOf(row['path'])?.replace(/(?<=.)\/+$/, '') ?? null]
    if (id === null) {
      passed.add('libraries without an id', 'invalid', textOf(row['name']))
      continue
    }
    if (root !== null) roots.set(id, root)
    const policy = policies[textOf(row['pattern']) ?? '']
    yield {
      type: 'library',
      id,
      name: textOf(row['name']) ?? id,
      roots: root === null ? [] : [root],
      grouping: policy === undefined ? null : { policy, config: {} },
      readingDirection: directionOf(row),
    }
  }
}

const directionOf = (row: StoreRow): LibraryRecord['readingDirection'] => {
  if (textOf(row['mode'])?.includes('vertical')) return 'webtoon'
  const direction = textOf(row['direction'])
  return direction === 'ltr' || direction === 'rtl' ? direction : null
}

const belowRoot = ({ roots }: OpenStore, row: StoreRow): string | null => {
  const [root, path] = [roots.get(textOf(row['library']) ?? ''), textOf(row['path'])]
  return root === undefined || path === null ? null : pathBelow(root, path === root ? `${root}/` : path)
}

type Values = Readonly<Record<string, unknown>>

/** Nothing is locked there. Tags alone are put on by people; all else is read from files. */
const metadataOf = (row: StoreRow, values: Values): SourceValues => {
  const entries = Object.entries({ ...values, tags: textsOf(row['tags']) })
  return Object.fromEntries(
    entries.flatMap(([field, value]) => {
      const isSaid = value !== null && !(Array.isArray(value) && value.length === 0)
      return isSaid ? [[field, { value, locked: field === 'tags' }]] : []
    }),
  )
}

const statuses: Readonly<Record<string, string>> = {
  ended: 'ended',
  completed: 'ended',
  continuing: 'ongoing',
  ongoing: 'ongoing',
  hiatus: 'hiatus',
  cancelled: 'abandoned',
}

export function* seriesIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectSeries(store.db)) {
    const [id, name] = [textOf(row['id']), textOf(row['name'])]
    const title = textOf(row['title']) ?? name
    if (id === null || title === null) {
      store.passed.add('series without an id or a name', 'invalid', title)
      continue
    }
    yield {
      type: 'series',
      id,
      library: textOf(row['library']),
      title,
      otherTitles: name === null || name === title ? [] : [name],
      folder: belowRoot(store, row),
      isOneShot: false,
      labels: [],
      metadata: metadataOf(row, {
        title: textOf(row['title']),
        summary: textOf(row['summary'], recordLimits.prose),
        publisher: textOf(row['publisher']),
        imprint: textOf(row['imprint']),
        ageRating: wholeOf(row['ageRating'], 0, 100),
        status: statuses[(textOf(row['status']) ?? '').toLowerCase()] ?? null,
      }),
    }
  }
}

const listed = (value: unknown): readonly string[] =>
  (textOf(value, recordLimits.prose) ?? '')
    .split(',', recordLimits.entries)
    .map((each) => each.trim())
    .filter((each) => each !== '')

const roles: readonly (readonly [column: string, role: string])[] = [
  ['writers', 'writer'],
  ['pencillers', 'penciller'],
  ['inkers', 'inker'],
  ['colorists', 'colorist'],
  ['letterers', 'letterer'],
  ['cover_artists', 'cover_artist'],
  ['editors', 'editor'],
]

export function* booksIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectBooks(store.db)) {
    const id = textOf(row['id'])
    if (id === null) {
      store.passed.add('books without an id', 'invalid', textOf(row['path']))
      continue
    }
    const path = belowRoot(store, row) || null
    if (path === null)
      store.passed.add('paths that are not in the folder of their library', 'invalid', textOf(row['path']))
    const number = numberText(numberOf(row['number'], -1000, 1_000_000))
    const volume = wholeOf(row['volume'], 0, 100_000)
    yield {
      type: 'book',
      id,
      series: textOf(row['series']),
      library: textOf(row['library']),
      path,
      size: wholeOf(row['size'], 0, Number.MAX_SAFE_INTEGER),
      hashes: [...hashOf(row['hash'], 'stump'), ...hashOf(row['koreaderHash'], 'koreader-stump')],
      seriesTitle: textOf(row['seriesTitle']),
      number,
      volume: volume === null ? null : String(volume),
      title: textOf(row['title']) ?? textOf(row['name']),
      pages: wholeOf(row['pages'], 1, 10_000_000),
      isDeleted: textOf(row['status']) !== 'READY' || truthOf(row['isDeleted']),
      metadata: metadataOf(row, {
        title: textOf(row['title']),
        number,
        volume,
        summary: textOf(row['summary'], recordLimits.prose),
        publisher: textOf(row['publisher']),
        ageRating: wholeOf(row['ageRating'], 0, 100),
        year: wholeOf(row['year'], 1, 9999),
        month: wholeOf(row['month'], 1, 12),
        day: wholeOf(row['day'], 1, 31),
        genres: listed(row['genre']),
        characters: listed(row['characters']),
        authors: roles.flatMap(([column, role]) => listed(row[column]).map((name) => ({ name, role }))),
      }),
    }
  }
}

const lengths = { stump: 64, 'koreader-stump': 32 } as const

const hashOf = (value: unknown, kind: keyof typeof lengths) => {
  const text = textOf(value)?.toLowerCase() ?? ''
  return text.length === lengths[kind] && /^[0-9a-f]+$/.test(text) ? [{ kind, value: text }] : []
}
