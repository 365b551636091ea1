import type { ReadDb } from '../../../database/database.ts'
import type { NamingRules } from '../../../catalogue/shown/shown.ts'
import type { IdentifiedFile } from '../identity/identified-file.ts'
import { byWorth, fileOfRow, namesWith, stemOf } from './same-book.ts'
import { type FileNamed, selectFilesNamed } from './queries.ts'

/** A new file that is no book: it lies beside that of a book that is there, or beside one that is as new. */
export interface NewPart {
  readonly identifiedFile: IdentifiedFile
  readonly of: IdentifiedFile | string
}

export interface BooksAndParts {
  readonly books: readonly IdentifiedFile[]
  readonly parts: readonly NewPart[]
}

interface FileStem {
  readonly rootId: string
  readonly folder: string
  readonly stem: string
}

const keyOf = ({ rootId, folder, stem }: FileStem): string => `${rootId}/${folder}/${stem}`

interface NewFiles {
  /** In the order of the walk. */
  readonly identifiedFiles: readonly IdentifiedFile[]
  /** Where no file was known before, only those just before the first of these may lie beside one of them. */
  readonly onlyBeside?: IdentifiedFile | undefined
}

/** Which of these new files are books, and which are further files of one (C21). */
export const findNewParts = async (
  db: ReadDb,
  rules: NamingRules,
  { identifiedFiles, onlyBeside }: NewFiles,
): Promise<BooksAndParts> => {
  const stemOf = new Map<IdentifiedFile, FileStem>()
  for (const identifiedFile of identifiedFiles) {
    const fileStem = stemIn(rules, identifiedFile)
    if (fileStem) stemOf.set(identifiedFile, fileStem)
  }
  const fresh = [...stemOf].filter(([{ bookId }]) => bookId === undefined)
  if (fresh.length === 0) return { books: identifiedFiles, parts: [] }
  const fileStems = fresh.map(([, fileStem]) => fileStem)
  const there = await findBooksAt(db, rules, onlyBeside ? fileStems.filter(isBeside(onlyBeside)) : fileStems)
  const parts = new Map<IdentifiedFile, IdentifiedFile | string>()
  for (const [key, files] of Map.groupBy(stemOf, ([, fileStem]) => keyOf(fileStem))) {
    const existing = there.get(key) ?? files.find(([{ bookId }]) => bookId !== undefined)?.[0].bookId
    const [first, ...others] = files
      .map(([identifiedFile]) => identifiedFile)
      .filter(({ bookId }) => bookId === undefined)
      .sort((one, other) => byWorth(fileOf(one), fileOf(other)))
    if (!first) continue
    if (existing !== undefined) parts.set(first, existing)
    for (const other of others) parts.set(other, existing ?? first)
  }
  return {
    books: identifiedFiles.filter((identifiedFile) => !parts.has(identifiedFile)),
    parts: [...parts].map(([identifiedFile, of]) => ({ identifiedFile, of })),
  }
}

/** What is called alike stands together in the order of the walk, but for names that begin with the stem and a dot. */
const isBeside =
  ({ rootId, walked: [folder, name] }: IdentifiedFile) =>
  (fileStem: FileStem): boolean =>
    fileStem.rootId === rootId && fileStem.folder === folder && name.startsWith(`${fileStem.stem}.`)

const fileOf = ({ walked: [folder, name, , , , , , isFolder], analysed }: IdentifiedFile) => ({
  folder,
  name,
  isFolder: isFolder === 1,
  isChosen: false,
  hasFault: analysed !== undefined && 'fault' in analysed,
})

const stemIn = (rules: NamingRules, identifiedFile: IdentifiedFile): FileStem | undefined => {
  const file = fileOf(identifiedFile)
  const stem = stemOf(rules, file)
  return stem === undefined ? undefined : { rootId: identifiedFile.rootId, folder: file.folder, stem }
}

/** The books that have a file with one of these stems, by the stem. Of several the oldest, but for what is to stay by itself. */
const findBooksAt = async (
  db: ReadDb,
  rules: NamingRules,
  fileStems: readonly FileStem[],
): Promise<ReadonlyMap<string, string>> => {
  const bookIdsByStem = new Map<string, string>()
  for (const [key, books] of await findFilesAt(db, rules, fileStems)) {
    const [first] = books
      .filter(({ is_apart }) => is_apart === null)
      .map(({ whole_id }) => whole_id)
      .sort()
    if (first !== undefined) bookIdsByStem.set(key, first)
  }
  return bookIdsByStem
}

const stemsAtOnce = 200

/** All present files with these stems. */
export const findFilesAt = async (
  db: ReadDb,
  rules: NamingRules,
  fileStems: readonly FileStem[],
): Promise<ReadonlyMap<string, readonly FileNamed[]>> => {
  const distinct = [...new Map(fileStems.map((fileStem) => [keyOf(fileStem), fileStem])).values()]
  const filesByKey = new Map<string, FileNamed[]>()
  for (let from = 0; from < distinct.length; from += stemsAtOnce) {
    const ranges = distinct
      .slice(from, from + stemsAtOnce)
      .map(({ rootId, folder, stem }) => ({ rootId, folder, ...namesWith(stem) }))
    for (const file of await selectFilesNamed(db, ranges)) {
      const stem = stemOf(rules, fileOfRow(file))
      const isListed = file.whole_state === 'present' && file.whole_library_id === rules.id
      if (stem === undefined || !isListed) continue
      const key = keyOf({ rootId: file.root_id, folder: file.folder, stem })
      const others = filesByKey.get(key)
      if (others) others.push(file)
      else filesByKey.set(key, [file])
    }
  }
  return filesByKey
}
