import { type ForeignRecord, recordLimits } from '../records.ts'

/** Text of a summary or members of a list make a record long: a batch is bounded by that as well. */
const batchCharacters = 512 * 1024

export const inBatches = function* (records: Iterable<ForeignRecord>): Generator<readonly ForeignRecord[]> {
  let batch: ForeignRecord[] = []
  let characters = 0
  for (const record of records) {
    batch.push(record)
    characters += lengthOf(record)
    if (batch.length < recordLimits.batchRecords && characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

/** The same for records that are waited for. */
export const inBatchesOf = async function* (
  records: AsyncIterable<ForeignRecord>,
): AsyncGenerator<readonly ForeignRecord[]> {
  let waiting: ForeignRecord[] = []
  for await (const record of records) {
    waiting.push(record)
    if (waiting.length < recordLimits.batchRecords) continue
    yield* inBatches(waiting)
    waiting = []
  }
  yield* inBatches(waiting)
}

/** About as long as its JSON: what is short in every record counts as a constant. */
const lengthOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce<number>((sum, each) => sum + lengthOf(each) + 8, 8)
}
