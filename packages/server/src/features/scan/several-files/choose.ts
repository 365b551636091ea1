import type { WriteDb } from '../../../database/database.ts'
import { exchange } from './exchange.ts'
import { type FileOfBookRow, selectFilesOfBooks } from './queries.ts'
import { byWorth, fileOfRow } from './same-book.ts'

/** Gives these books the best of their files to be read. `analyseLibrary` is due for the libraries that it answers. */
export const chooseBest = async (db: WriteDb, bookIds: readonly string[], now: Date): Promise<readonly string[]> => {
  const files = await selectFilesOfBooks(db, bookIds)
  const exchanges = [...Map.groupBy(files, ({ whole_id }) => whole_id)].flatMap(([bookId, all]) => {
    const best = chooseAmong(all.filter(mayBeChosen))
    return best === undefined || best.book_id === bookId ? [] : [{ bookId, partId: best.book_id }]
  })
  return exchange(db, exchanges, now)
}

/** A copy that people have merged stands in for the book when its file goes, and not before. */
export const mayBeChosen = ({ book_id, whole_id, state, is_format }: FileOfBookRow): boolean =>
  state === 'present' && (book_id === whole_id || is_format === 1)

export const chooseAmong = (files: readonly FileOfBookRow[]): FileOfBookRow | undefined =>
  files.toSorted((one, other) => byWorth(fileOfRow(one), fileOfRow(other)))[0]
