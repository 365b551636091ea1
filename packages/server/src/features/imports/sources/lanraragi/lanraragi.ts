import type { ForeignRecord, Reader } from '../../records.ts'
import { inBatchesOf } from '../batches.ts'
import { isObject } from '../json-lists.ts'
import { onePerson } from '../one-person.ts'
import { lanraragiAtAddress } from './address.ts'
import { archiveId } from './archives.ts'
import { readEntries } from './backup-file.ts'
import { archiveOf, categoryOf, nothingRead, stampOf, tankOf } from './entry-records.ts'

export const lanraragi: Reader = {
  kind: 'lanraragi',
  storeNames: ['backup.json'],
  read: ({ store }) => inBatchesOf(recordsIn(store)),
  // A backup holds no pictures.
  cover: async () => undefined,
  atAddress: lanraragiAtAddress,
}

/** Which archives there are and in which series they are is needed before the first of them: the file is read twice. */
async function* recordsIn(store: string): AsyncGenerator<ForeignRecord> {
  const readSoFar = nothingRead()
  yield { type: 'source', kind: 'lanraragi', version: null, schema: null }
  yield onePerson
  const sections = new Set(['tankoubons', 'archives'])
  for await (const { list, value } of readEntries(store, sections)) {
    if (!isObject(value)) readSoFar.passed.add('entries that are none', 'invalid')
    else if (list === 'tankoubons') yield* tankOf(readSoFar, value)
    else {
      const id = archiveId(value['arcid'])
      if (id !== null) readSoFar.archives.add(id)
    }
  }
  const rest = new Set(['archives', 'categories', 'stamps'])
  for await (const { list, value } of readEntries(store, rest)) {
    if (!isObject(value)) continue
    if (list === 'archives') yield* archiveOf(readSoFar, value)
    else if (list === 'categories') yield* categoryOf(readSoFar, value)
    else yield* stampOf(readSoFar, value)
  }
  for (const what of notThere) yield { type: 'passedOver', what, reason: 'not_in_store', count: null }
  yield* readSoFar.passed.records()
}

const notThere = [
  'reading progress, which is in no backup: give the address of the server and its key instead',
  'folders, page counts and covers',
]
