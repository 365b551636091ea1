import { importBytesMax, importEntriesMax } from '@carrel/api'
import type { Context } from '../../../context.ts'
import type { ReadDb } from '../../../database/database.ts'
import { BookFault } from '../../../formats/book-format.ts'
import type { ListedEntry, ListFile } from '../../../formats/read-list.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { findBooks } from './find-books.ts'
import type { Match } from './match.ts'
import type { CandidateBook } from './queries.ts'

export type ImportContext = Pick<Context, 'db' | 'decoders'>

/** Each is one statement, and one list of books to choose from. */
const entriesAtOnce = 200
export const candidatesShown = 5

/** It finds for each entry the books that it may mean, as far as this viewer sees them. */
export const findAll = async (
  db: ReadDb,
  viewer: Viewer,
  entries: readonly ListedEntry[],
): Promise<readonly Match<CandidateBook>[]> => {
  const matches: Match<CandidateBook>[] = []
  for (const part of partsOf(entries, entriesAtOnce)) matches.push(...(await findBooks(db, viewer, part)))
  return matches
}

export const readFile = async (decoders: ImportContext['decoders'], bytes: Uint8Array): Promise<ListFile> => {
  try {
    const limits = { bytes: importBytesMax, entries: importEntriesMax }
    return await decoders.run('readList', { bytes, limits }, { urgent: true })
  } catch (error) {
    if (error instanceof BookFault) throw new AppError('damaged_file', `${error.message}.`, { cause: error })
    throw error
  }
}

const partsOf = <Item>(items: readonly Item[], size: number): (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
