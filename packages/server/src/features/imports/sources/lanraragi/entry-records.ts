import { type CategoryRecord, type ForeignRecord, recordLimits, type SeriesRecord } from '../../records.ts'
import { onePerson } from '../one-person.ts'
import { onPage } from '../positions.ts'
import { countPassedOver, textOf } from '../values.ts'
import { archiveId, recordsOfArchive, type Series, seriesOf } from './archives.ts'

type PassedOver = ReturnType<typeof countPassedOver>

export interface ReadSoFar {
  readonly passed: PassedOver
  /** The series of each archive that is in one. */
  readonly tanks: Map<string, Series>
  /** The archives that are in the backup. */
  readonly archives: Set<string>
  /** The series that tags name. */
  readonly named: Set<string>
}

export const nothingRead = (): ReadSoFar => ({
  passed: countPassedOver(),
  tanks: new Map(),
  archives: new Set(),
  named: new Set(),
})

type Value = Readonly<Record<string, unknown>>

const idsIn = (readSoFar: ReadSoFar, value: unknown): readonly string[] => {
  const list = Array.isArray(value) ? value : []
  if (list.length > recordLimits.members)
    readSoFar.passed.add(`archives of one list beyond the first ${recordLimits.members}`, 'too_much')
  return [...new Set(list.slice(0, recordLimits.members).flatMap((each) => archiveId(each) ?? []))]
}

export function* tankOf(readSoFar: ReadSoFar, value: Value): Generator<SeriesRecord> {
  const [id, title] = [textOf(value['tankid']), textOf(value['name'])]
  if (id === null || title === null) {
    readSoFar.passed.add('collections without an id or a name', 'invalid', title)
    return
  }
  for (const archive of idsIn(readSoFar, value['archives']))
    if (!readSoFar.tanks.has(archive)) readSoFar.tanks.set(archive, { id, title })
  yield seriesOf({ id, title }, textOf(value['summary'], recordLimits.prose))
}

export function* archiveOf(readSoFar: ReadSoFar, value: Value): Generator<ForeignRecord> {
  const id = archiveId(value['arcid'])
  if (id === null) {
    readSoFar.passed.add('archives without an id', 'invalid', textOf(value['title']))
    return
  }
  const { series, records } = recordsOfArchive(value, id, readSoFar.tanks.get(id))
  if (series !== undefined && !readSoFar.tanks.has(id) && !readSoFar.named.has(series.id)) {
    readSoFar.named.add(series.id)
    yield seriesOf(series, null)
  }
  yield* records
}

export function* categoryOf(readSoFar: ReadSoFar, value: Value): Generator<CategoryRecord> {
  const [id, name] = [textOf(value['catid']), textOf(value['name'])]
  if (id === null || name === null) readSoFar.passed.add('categories without an id or a name', 'invalid', name)
  // It holds what a search finds, and says the search alone.
  else if (textOf(value['search']) !== null) readSoFar.passed.add('categories that are searches', 'unreadable', name)
  else {
    const members = idsIn(readSoFar, value['archives'])
    for (const each of members)
      if (!readSoFar.archives.has(each))
        readSoFar.passed.add('archives of categories that are not there', 'invalid', name)
    yield {
      type: 'category',
      id,
      name,
      summary: null,
      isOrdered: false,
      owner: onePerson.id,
      // It has no accounts: whoever reaches it sees them.
      isShared: true,
      holds: 'books',
      members: members.filter((each) => readSoFar.archives.has(each)).map((book) => ({ book })),
    }
  }
}

/** It says where on a page somebody has put it, but not on which page: what is written there is kept, on the first. */
export function* stampOf(readSoFar: ReadSoFar, value: Value): Generator<ForeignRecord> {
  const book = archiveId(value['archive_id'])
  const note = textOf(value['content'], recordLimits.prose)
  if (book === null || !readSoFar.archives.has(book))
    readSoFar.passed.add('stamps in archives that are not there', 'invalid', note)
  else {
    readSoFar.passed.add('pages of stamps, which are put on the first', 'not_in_store')
    yield { type: 'bookmark', user: onePerson.id, book, position: onPage(1), note, at: null }
  }
}
