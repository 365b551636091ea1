import { type CategoryRecord, type ForeignRecord, recordLimits, type SeriesRecord } from '../../records.ts'
import { onePerson } from '../one-person.ts'
import { onPage } from '../places.ts'
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

const idsIn = (known: ReadSoFar, value: unknown): readonly string[] => {
  const list = Array.isArray(value) ? value : []
  if (list.length > recordLimits.members)
    known.passed.add(`archives of one list beyond the first ${recordLimits.members}`, 'too_much')
  return [...new Set(list.slice(0, recordLimits.members).flatMap((each) => archiveId(each) ?? []))]
}

export function* tankOf(known: ReadSoFar, value: Value): Generator<SeriesRecord> {
  const [id, title] = [textOf(value['tankid']), textOf(value['name'])]
  if (id === null || title === null) {
    known.passed.add('collections without an id or a name', 'invalid', title)
    return
  }
  for (const archive of idsIn(known, value['archives']))
    if (!known.tanks.has(archive)) known.tanks.set(archive, { id, title })
  yield seriesOf({ id, title }, textOf(value['summary'], recordLimits.prose))
}

export function* archiveOf(known: ReadSoFar, value: Value): Generator<ForeignRecord> {
  const id = archiveId(value['arcid'])
  if (id === null) {
    known.passed.add('archives without an id', 'invalid', textOf(value['title']))
    return
  }
  const { series, records } = recordsOfArchive(value, id, known.tanks.get(id))
  if (series !== undefined && !known.tanks.has(id) && !known.named.has(series.id)) {
    known.named.add(series.id)
    yield seriesOf(series, null)
  }
  yield* records
}

export function* categoryOf(known: ReadSoFar, value: Value): Generator<CategoryRecord> {
  const [id, name] = [textOf(value['catid']), textOf(value['name'])]
  if (id === null || name === null) known.passed.add('categories without an id or a name', 'invalid', name)
  // It holds what a search finds, and says the search alone.
  else if (textOf(value['search']) !== null) known.passed.add('categories that are searches', 'unreadable', name)
  else {
    const members = idsIn(known, value['archives'])
    for (const each of members)
      if (!known.archives.has(each)) known.passed.add('archives of categories that are not there', 'invalid', name)
    yield {
      type: 'category',
      id,
      name,
      summary: null,
      isOrdered: false,
      owner: onePerson.id,
      isShared: false,
      members: members.filter((each) => known.archives.has(each)).map((book) => ({ book })),
    }
  }
}

/** It says where on a page somebody has put it, but not on which page: what is written there is kept, on the first. */
export function* stampOf(known: ReadSoFar, value: Value): Generator<ForeignRecord> {
  const book = archiveId(value['archive_id'])
  const note = textOf(value['content'], recordLimits.prose)
  if (book === null || !known.archives.has(book))
    known.passed.add('stamps in archives that are not there', 'invalid', note)
  else {
    known.passed.add('pages of stamps, which are put on the first', 'not_in_store')
    yield { type: 'bookmark', user: onePerson.id, book, position: onPage(1), note, at: null }
  }
}
