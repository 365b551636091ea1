import { type ForeignRecord, type Position, recordLimits } from '../../records.ts'
import { objectOf } from '../json-lists.ts'
import { atCfi, atFraction, nowhere } from '../positions.ts'
import type { StoreDatabase, StoreRow } from '../sqlite.ts'
import { idText, instantOf, numberOf, textOf, wholeOf } from '../values.ts'
import type { OpenStore } from './open-store.ts'
import { userNamed } from './people.ts'
import { selectAnnotations, selectPositions, selectReadFlags, selectStates } from './queries.ts'

/** Seconds since 1970, with a fraction. */
const instantOfEpoch = (value: unknown): string | null => {
  const seconds = numberOf(value, 0, 10_000_000_000)
  return seconds === null ? null : instantOf(Math.round(seconds * 1000))
}

/**
 * Calibre's viewer puts the item of the spine, doubled, before the steps within that document, the first of which is the document itself. In
 * a CFI of a book both stand behind the sixth step of its package.
 */
const cfiOfBook = (item: number, within: string): string => `epubcfi(/6/${item}!${within.replace(/^\/2(?=\/|$)/, '')})`

const cfiOfViewer = (cfi: string | null): string | null => {
  const [, item, within = ''] = /^epubcfi\(\/(\d{1,7})(\/[^!]*)?\)$/.exec(cfi ?? '') ?? []
  return item === undefined ? null : cfiOfBook(Number(item), within)
}

export function* positionsIn({ db, people, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectPositions(db)) {
    const [user, at] = [textOf(row['user']), instantOfEpoch(row['epoch'])]
    if (user === null || row['book'] === null || at === null) {
      passed.add('positions of nobody, in nothing, or without a time', 'invalid', user)
      continue
    }
    yield {
      type: 'session',
      id: `position ${idText(row['id'])}`,
      user: userNamed(people, user),
      book: idText(row['book']),
      kind: 'progress',
      position: atCfi(cfiOfViewer(textOf(row['cfi'])), numberOf(row['fraction'], 0, 1)),
      pages: null,
      startedAt: null,
      at,
      activeMs: null,
      pagesRead: null,
      device: textOf(row['device']),
    }
  }
}

const isDateOfReading = (label: string): boolean => /^(?:date_?read|read_?date|read_?on|finished(?:_on)?)$/i.test(label)

/**
 * No column is said to be the one that tells what was read. A column of yes and no with this name is what everybody makes. Calibre-web keeps
 * a state of its own, which is newer where both say something.
 */
export function* readFlagsIn(store: OpenStore, told: ReadonlySet<string>): Generator<ForeignRecord> {
  const { db, columns, people, passed } = store
  const read = columns.find(({ label, datatype }) => datatype === 'bool' && label.toLowerCase() === 'read')
  if (read === undefined) {
    yield {
      type: 'passedOver',
      what: 'what was read: no column of yes and no has the name "read"',
      reason: 'not_in_store',
      count: null,
    }
    return
  }
  const date = columns.find(
    ({ label, datatype, isNormalized }) => datatype === 'datetime' && !isNormalized && isDateOfReading(label),
  )
  for (const row of selectReadFlags(db, read, date)) {
    const book = idText(row['book'])
    const at = instantOf(row['readAt'])
    if (told.has(book)) passed.add('columns "read" of books whose state calibre-web knows', 'no_such_thing')
    else {
      const one = { user: people.owner, book, startedAt: null }
      yield { type: 'progress', ...one, position: nowhere, pages: null, isCompleted: true, at, completedAt: at }
      if (at !== null) yield { type: 'completion', id: `read ${book}`, ...one, at }
    }
  }
}

const finished = 1
const begun = 2

/** The states of calibre-web; `told` gathers the books of which it knows how far the owner of the library is. */
export function* statesIn(store: OpenStore, web: StoreDatabase, told: Set<string>): Generator<ForeignRecord> {
  const { books, people, passed } = store
  for (const row of selectStates(web)) {
    const book = wholeOf(row['book'], 0, Number.MAX_SAFE_INTEGER)
    if (row['user'] === null || book === null || !books.has(book)) {
      passed.add('states of nobody, or of books that are not there', 'invalid', textOf(row['book']))
      continue
    }
    const state = stateOf(row, String(book))
    if ((wholeOf(row['timesStarted'], 0, 1_000_000) ?? 0) > 1)
      passed.add('counts of how often a book was begun', 'no_such_thing')
    if (state === undefined) {
      passed.add('books that are marked as unread', 'no_such_thing')
      continue
    }
    if (state.user === people.owner) told.add(state.book)
    yield { type: 'progress', ...state }
    yield* loggedOf(row, state)
  }
}

type State = Omit<Extract<ForeignRecord, { type: 'progress' }>, 'type'>

const stateOf = (row: StoreRow, book: string): State | undefined => {
  const isCompleted = row['status'] === finished
  const position = positionOf(row)
  const isOnTheWay = row['status'] === begun || position !== nowhere
  if (!isCompleted && !isOnTheWay) return undefined
  const at = instantOf(row['modifiedAt']) ?? instantOf(row['koboAt'])
  return {
    user: idText(row['user']),
    book,
    // Begun, and nobody knows how far: that is the beginning.
    position: isCompleted ? nowhere : position === nowhere ? atFraction(0) : position,
    pages: null,
    isCompleted,
    startedAt: instantOf(row['startedAt']),
    at,
    completedAt: isCompleted ? at : null,
  }
}

/** A Kobo says how far and in which file of the book; the web reader keeps a CFI. */
const positionOf = (row: StoreRow): Position => {
  const percent = numberOf(row['percent'], 0, 100)
  const cfi = textOf(row['cfi'])
  if (percent === null && cfi === null) return nowhere
  const fraction = percent === null ? null : percent / 100
  const position = atCfi(cfi, fraction)
  const href = textOf(row['href'])
  return href === null
    ? position
    : {
        ...position,
        locator: {
          href,
          type: 'application/xhtml+xml',
          locations: fraction === null ? {} : { totalProgression: fraction },
        },
      }
}

/**
 * What a log tells of a book is not asked of its state, and the last place of calibre's own viewer is such a log: so the state stands in it as
 * well, with the time that a Kobo has counted.
 */
function* loggedOf(row: StoreRow, { user, book, at, isCompleted, position }: State): Generator<ForeignRecord> {
  if (at === null || (!isCompleted && row['percent'] === null)) return
  const minutes = wholeOf(row['minutes'], 1, 1_000_000)
  const activeMs = minutes === null ? null : minutes * 60_000
  yield {
    type: 'session',
    id: `state ${user} ${book}`,
    user,
    book,
    kind: isCompleted ? 'completed' : 'progress',
    position,
    pages: null,
    startedAt: activeMs === null ? null : instantOf(Date.parse(at) - activeMs),
    at,
    activeMs,
    pagesRead: null,
    device: minutes === null ? null : 'Kobo',
  }
}

export function* annotationsIn({ db, people, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectAnnotations(db)) {
    const data = objectOf(row['data']) ?? {}
    const name = textOf(row['user'])
    const type = textOf(row['type'])
    const at = instantOf(data['timestamp']) ?? instantOfEpoch(row['timestamp'])
    if (row['book'] === null || name === null) {
      passed.add('annotations of nobody or in nothing', 'invalid', name)
      continue
    }
    const common = {
      user: textOf(row['userType']) === 'local' ? people.owner : userNamed(people, name),
      book: idText(row['book']),
      at,
    }
    const quote = textOf(data['highlighted_text'], recordLimits.prose)
    const note = textOf(data['notes'], recordLimits.prose)
    if (type === 'highlight' && (quote !== null || note !== null))
      yield {
        type: 'annotation',
        ...common,
        position: placeOfHighlight(data),
        quote: quote ?? '',
        note,
        colour: colourOf(data),
      }
    else if (type === 'bookmark')
      yield {
        type: 'bookmark',
        ...common,
        position: atCfi(cfiOfViewer(textOf(data['pos']))),
        note: textOf(data['title'], recordLimits.prose),
      }
    else if (type === 'last-read')
      passed.add('last places of the viewer, which are said elsewhere too', 'no_such_thing')
    else passed.add('annotations of an unknown kind', 'unreadable', type)
  }
}

const placeOfHighlight = (data: Readonly<Record<string, unknown>>): Position => {
  const [item, within] = [wholeOf(data['spine_index'], 0, 1_000_000), textOf(data['start_cfi'])]
  return item === null ? nowhere : atCfi(cfiOfBook(2 * (item + 1), within ?? '/2/4'))
}

/** The built-in styles are named after colours, or are lines below the text. */
const colourOf = ({ style }: Readonly<Record<string, unknown>>): string | null => {
  const which = typeof style === 'object' && style !== null && 'which' in style ? style.which : null
  return typeof which === 'string' && /^[a-z]{1,20}$/.test(which) ? which : null
}
