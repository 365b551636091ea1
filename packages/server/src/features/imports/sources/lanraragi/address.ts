import { type AddressSource, type ForeignRecord, type Reader, SourceFault } from '../../records.ts'
import { type Answer, askJson, objectIn, objectsIn } from '../asking.ts'
import { inBatchesOf } from '../batches.ts'
import { onePerson } from '../one-person.ts'
import { onPage } from '../positions.ts'
import { instantOf, numberOf, textOf, wholeOf } from '../values.ts'
import { archiveId } from './archives.ts'
import { archiveOf, categoryOf, nothingRead, type ReadSoFar, tankOf } from './entry-records.ts'

/** A LANraragi that runs: it knows what was read, which no backup holds. */
export const lanraragiAtAddress: NonNullable<Reader['atAddress']> = {
  read: (source) => inBatchesOf(recordsOf(source)),
  // Its pictures are made of the archives.
  cover: async () => undefined,
}

async function* recordsOf(source: AddressSource): AsyncGenerator<ForeignRecord> {
  const info = objectIn(await askJson(source, '/api/info'))
  const version = textOf(info['version'], 60)
  if (version === null)
    throw new SourceFault('wrong_kind', 'What answers at this address is no LANraragi: look at the address.')
  yield { type: 'source', kind: 'lanraragi', version, schema: null }
  yield onePerson
  const readSoFar = nothingRead()
  // Older versions have no such lists.
  const tanks = objectIn(await askJson(source, '/api/tankoubons?page=-1'))
  for (const tank of objectsIn(tanks['result'])) yield* tankOf(readSoFar, { ...tank, tankid: tank['id'] })
  const archives = objectsIn(await askJson(source, '/api/archives'))
  for (const archive of archives) {
    const id = archiveId(archive['arcid'])
    if (id !== null) readSoFar.archives.add(id)
  }
  for (const archive of archives) {
    yield* archiveOf(readSoFar, archive)
    yield* progressOf(readSoFar, archive)
  }
  for (const category of objectsIn(await askJson(source, '/api/categories')))
    yield* categoryOf(readSoFar, { ...category, catid: category['id'] })
  for (const what of notShown) yield { type: 'passedOver', what, reason: 'not_in_store', count: null }
  if (isNo(info['server_tracks_progress'])) readSoFar.passed.add(keptByBrowsers, 'not_in_store')
  yield* readSoFar.passed.records()
}

const notShown = [
  'folders and covers',
  'when archives were read before the last time',
  'stamps, which only a backup holds',
]
const keptByBrowsers = 'reading progress, which this server leaves to browsers'

const isNo = (value: unknown): boolean => value === false || value === 0 || value === '0' || value === 'false'

/** It counts pages from 1; 0 is not read yet. The last time is in seconds. */
function* progressOf({ passed }: ReadSoFar, archive: Answer): Generator<ForeignRecord> {
  const book = archiveId(archive['arcid'])
  const page = wholeOf(archive['progress'], 1, 10_000_000)
  if (book === null || page === null) return
  const pages = wholeOf(archive['pagecount'], 1, 10_000_000)
  const seconds = numberOf(archive['lastreadtime'], 1, Number.MAX_SAFE_INTEGER)
  const at = seconds === null ? null : instantOf(seconds * 1000)
  if (at === null) passed.add('times of reading that are not known', 'not_in_store', textOf(archive['title']))
  const isCompleted = pages !== null && page >= pages
  yield {
    type: 'progress',
    user: onePerson.id,
    book,
    position: onPage(page),
    pages,
    isCompleted,
    startedAt: null,
    at,
    completedAt: isCompleted ? at : null,
  }
}
