import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertParts, selectPart } from './queries.ts'
import type { ForeignRecord, RecordType } from './records.ts'

/** Matches are kept beside the records they are of. */
export interface BookMatch {
  readonly theirs: string
  /** Null: none of ours. */
  readonly ours: string | null
  readonly by: 'hash' | 'path' | 'name' | null
}
export interface SeriesMatch {
  readonly theirs: string
  readonly ours: string
}
interface Matches {
  readonly bookMatch: BookMatch
  readonly seriesMatch: SeriesMatch
}

export type StagedType = RecordType | keyof Matches
export type Staged<Type extends StagedType> = Type extends keyof Matches
  ? Matches[Type]
  : Extract<ForeignRecord, { readonly type: Type }>

const rowRecords = 500
/** A row of this many characters is written as it is. */
const rowCharacters = 1024 * 1024

interface Writing {
  write<Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result>
}

/** It gathers records of one type into rows; what is not yet written is written at the end. */
export const stageIn = ({ write }: Writing, importId: string) => {
  const waiting = new Map<StagedType, { place: number; characters: number; texts: string[] }>()
  const flush = async (type: StagedType): Promise<void> => {
    const row = waiting.get(type)
    if (!row || row.texts.length === 0) return
    const records = `[${row.texts.join(',')}]`
    const place = row.place
    await write((db) => insertParts(db, [{ import_id: importId, type, place, records }]))
    waiting.set(type, { place: place + 1, characters: 0, texts: [] })
  }
  return {
    add: async <Type extends StagedType>(type: Type, record: Staged<Type>): Promise<void> => {
      const row = waiting.get(type) ?? { place: 0, characters: 0, texts: [] }
      const text = JSON.stringify(record)
      row.texts.push(text)
      row.characters += text.length
      waiting.set(type, row)
      if (row.texts.length >= rowRecords || row.characters >= rowCharacters) await flush(type)
    },
    end: async (): Promise<void> => {
      for (const type of waiting.keys()) await flush(type)
    },
  }
}

/** The rows of one type in their order, each as a whole. */
export const stagedRows = async function* <Type extends StagedType>(
  db: ReadDb,
  importId: string,
  type: Type,
  from = 0,
): AsyncGenerator<{ readonly place: number; readonly records: readonly Staged<Type>[] }> {
  for (let place = from; ; place += 1) {
    const row = await selectPart(db, importId, type, place)
    if (!row) return
    place = row.place
    // It was written by `stageIn`.
    yield { place, records: JSON.parse(row.records) as Staged<Type>[] }
  }
}

/** All of one type, which are few or small. */
export const allStaged = async <Type extends StagedType>(
  db: ReadDb,
  importId: string,
  type: Type,
): Promise<readonly Staged<Type>[]> => {
  const all: Staged<Type>[] = []
  for await (const { records } of stagedRows(db, importId, type)) all.push(...records)
  return all
}
