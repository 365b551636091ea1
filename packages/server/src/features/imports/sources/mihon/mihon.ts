import { type CategoryRecord, type ForeignRecord, type Reader, recordLimits, SourceFault } from '../../records.ts'
import { inBatches } from '../batches.ts'
import { countPassedOver } from '../values.ts'
import { onePerson } from '../one-person.ts'
import { type Heads, readHeads, readManga } from './backup.ts'
import { idOf, recordsOf } from './manga.ts'

export const mihon: Reader = {
  kind: 'mihon',
  // The name of a backup has the date in it; in a folder of many nobody knows which one is meant.
  storeNames: ['backup.tachibk', 'backup.proto.gz'],
  read: async function* ({ store }) {
    let waiting: ForeignRecord[] = []
    for await (const record of recordsIn(store)) {
      waiting.push(record)
      if (waiting.length < recordLimits.batchRecords) continue
      yield* inBatches(waiting)
      waiting = []
    }
    yield* inBatches(waiting)
  },
  // Covers are addresses of the sites they came from.
  cover: async () => undefined,
}

async function* recordsIn(store: string): AsyncGenerator<ForeignRecord> {
  const passed = countPassedOver()
  const heads = await readHeads(store)
  const members = new Map<bigint, Set<string>>(heads.categories.map(({ order }) => [order, new Set()]))
  let isEmpty = heads.categories.length === 0 && heads.sources.size === 0
  yield { type: 'source', kind: 'mihon', version: null, schema: null }
  yield onePerson
  for await (const manga of readManga(store)) {
    isEmpty = false
    for (const order of manga.categories) {
      const category = members.get(order)
      if (category === undefined) passed.add('categories that are not there', 'invalid', manga.title)
      else if (category.size < recordLimits.members) category.add(idOf(manga))
      else passed.add(`series of one category beyond ${recordLimits.members}`, 'too_much', manga.title)
    }
    yield* recordsOf(manga, passed)
  }
  // Nothing at all is a sound message too: any file of unknown fields would be a backup of nothing.
  if (isEmpty) throw new SourceFault('wrong_kind', 'There is nothing in this file that a backup of Mihon has.')
  yield* categoriesOf(heads, members)
  yield* passedOverOf(heads)
  yield* passed.records()
}

function* categoriesOf(
  { categories }: Heads,
  members: ReadonlyMap<bigint, ReadonlySet<string>>,
): Generator<CategoryRecord> {
  for (const { name, order } of categories)
    yield {
      type: 'category',
      id: String(order),
      name: name.slice(0, recordLimits.line) || String(order),
      summary: null,
      isOrdered: false,
      owner: onePerson.id,
      isShared: false,
      holds: 'series',
      members: [...(members.get(order) ?? [])].map((series) => ({ series })),
    }
}

function* passedOverOf({ preferences, stores }: Heads): Generator<ForeignRecord> {
  const counted = [
    ['settings of the app and of its sources, among which are secrets', 'secret', preferences],
    ['addresses of extensions', 'no_such_thing', stores],
  ] as const
  for (const [what, reason, count] of counted) if (count > 0) yield { type: 'passedOver', what, reason, count }
  for (const what of [
    'hashes and paths of files: everything is found by its name',
    'times of chapters marked as read in bulk',
  ])
    yield { type: 'passedOver', what, reason: 'not_in_store', count: null }
}
