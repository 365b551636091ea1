import type { ReadDb } from '../../../database/database.ts'
import type { TaskContext } from '../../../tasks/define-task.ts'
import { joinFormats, separateFormat } from '../../merging/merging.ts'
import { analyseLibraries } from '../analysis/analyse-library.ts'

import type { IdentifiedFile } from '../identity/identified-file.ts'
import type { ScannedLibrary } from '../library.ts'
import { chooseBest } from './choose.ts'
import { findFilesAt } from './new-parts.ts'
import { type FileOfBookRow, selectFilesAfter, selectFilesOfBooks, selectWithSeveralFiles } from './queries.ts'
import { byWorth, fileOfRow, stemOf } from './same-book.ts'

interface SettleOptions {
  readonly library: ScannedLibrary
  readonly context: TaskContext
}

const booksAtOnce = 100
const filesAtOnce = 1000

/**
 * Brings the files of these books into order, wherever they lie now: what does not lie beside the file of its book any more is
 * a book of its own, books that lie beside each other are one, and each is read by the best of its files.
 */
export const settleFiles = async (given: SettleOptions, bookIds: readonly string[]): Promise<void> => {
  for (let from = 0; from < bookIds.length; from += booksAtOnce)
    await settleSome(given, bookIds.slice(from, from + booksAtOnce))
}

/** The same for a whole library, of which it is not known what has moved. It answers how many files it has checked. */
export const settleLibrary = async (given: SettleOptions): Promise<number> => {
  const { library, context } = given
  let checked = 0
  for (const { id: rootId } of library.roots) {
    let after = { folder: '', name: '' }
    for (;;) {
      const files = await selectFilesAfter(context.db.readSlowly, rootId, after, filesAtOnce)
      const last = files.at(-1)
      if (!last) break
      await settleFiles(given, await crowded(given, files))
      checked += files.length
      after = last
    }
  }
  return checked
}

type FileRow = Awaited<ReturnType<typeof selectFilesAfter>>[number]

/** It returns books whose files may lie beside others: one that is alone with its stem, and always was, is passed over. */
const crowded = async ({ library, context }: SettleOptions, files: readonly FileRow[]): Promise<readonly string[]> => {
  const named = files.flatMap((file) => {
    const stem = stemOf(library, { ...file, isFolder: file.is_folder === 1 })
    return stem === undefined ? [] : [{ ...file, stem }]
  })
  const edges = [files[0], files.at(-1)]
  // The others may stand before or after this part of the list.
  const mayBeCut = ({ folder, stem }: (typeof named)[number]): boolean =>
    edges.some((edge) => edge?.folder === folder && edge.name.startsWith(`${stem}.`))
  const crowds = [...Map.groupBy(named, ({ folder, stem }) => folder + stem).values()].filter(
    (same) => same.length > 1 || same.some(mayBeCut),
  )
  const several = await selectWithSeveralFiles(
    context.db.readSlowly,
    files.map(({ book_id }) => book_id),
  )
  return [...new Set([...crowds.flat().map(({ book_id }) => book_id), ...several])]
}

/** It returns, among known books that a scan has put somewhere, those whose files may lie beside others now, or lay there. */
export const findToSettle = async (
  db: ReadDb,
  library: ScannedLibrary,
  identifiedFiles: readonly IdentifiedFile[],
): Promise<readonly string[]> => {
  const moved = identifiedFiles.filter(({ change }) => change !== 'new' && change !== 'same')
  const ids = moved.flatMap(({ bookId, walked: [folder, name, , , , , , isFolder] }) => {
    const stem = stemOf(library, { folder, name, isFolder: isFolder === 1 })
    return stem === undefined ? [] : (bookId ?? [])
  })
  const several = await selectWithSeveralFiles(
    db,
    moved.flatMap(({ bookId }) => bookId ?? []),
  )
  return [...new Set([...ids, ...several])]
}

const settleSome = async (given: SettleOptions, bookIds: readonly string[]): Promise<void> => {
  const { library, context } = given
  context.signal.throwIfAborted()
  const wholes = new Set([...bookIds, ...(await selectWithSeveralFiles(context.db.readSlowly, bookIds))])
  const files = (await selectFilesOfBooks(context.db.readSlowly, [...wholes])).filter(isPresent)
  for (const { book_id } of strayed(library, files)) {
    context.signal.throwIfAborted()
    await context.write((db) => separateFormat(db, book_id, context.clock()))
  }
  const joined = await joinBeside(given, files)
  const several = await selectWithSeveralFiles(context.db.read, [...new Set([...wholes, ...joined])])
  if (several.length === 0) return
  await context.write(async (db) => {
    const now = context.clock()
    await analyseLibraries(db, await chooseBest(db, several, now), now)
  })
}

const isPresent = ({ state }: FileOfBookRow): boolean => state === 'present'

/** Further files that lie neither where the file of their book does, nor where that of a copy that people have merged does. */
const strayed = (library: ScannedLibrary, files: readonly FileOfBookRow[]): readonly FileOfBookRow[] =>
  [...Map.groupBy(files, ({ whole_id }) => whole_id).values()].flatMap((ofBook) => {
    const [further, own] = [true, false].map((isFormat) => ofBook.filter((file) => (file.is_format === 1) === isFormat))
    const locations = new Set(own?.map((file) => locationKey(library, file)))
    // Without any other file the first of them is the book, as soon as that is found to be missing.
    return locations.size === 0 ? [] : (further ?? []).filter((file) => !locations.has(locationKey(library, file)))
  })

const locationKey = (library: ScannedLibrary, file: FileOfBookRow): string => {
  const stem = stemOf(library, fileOfRow(file))
  return stem === undefined ? file.id : `${file.root_id}/${file.folder}/${stem}`
}

/** Books whose files have one stem become one: the one with the best file stays, so that nothing is read again. */
const joinBeside = async (
  { library, context }: SettleOptions,
  files: readonly FileOfBookRow[],
): Promise<readonly string[]> => {
  const fileStems = files.flatMap((file) => {
    const stem = stemOf(library, fileOfRow(file))
    return stem === undefined ? [] : [{ rootId: file.root_id, folder: file.folder, stem }]
  })
  const joined: string[] = []
  for (const beside of (await findFilesAt(context.db.readSlowly, library, fileStems)).values()) {
    const books = beside
      .filter(({ is_apart }) => is_apart === null)
      .sort((one, other) => byWorth(fileOfRow(one), fileOfRow(other)))
    const [into, ...others] = new Set(books.map(({ whole_id }) => whole_id))
    for (const fromId of others) {
      context.signal.throwIfAborted()
      if (into === undefined) continue
      const isJoined = await context.write((db) => joinFormats(db, { fromId, intoId: into, now: context.clock() }))
      if (isJoined) joined.push(into)
    }
  }
  return joined
}
