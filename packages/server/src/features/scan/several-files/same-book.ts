import type { FileFormat } from '@carrel/api'
import type { FilePath, NamingRules } from '../../../catalogue/shown/shown.ts'
import { isFolderOfCalibre } from '../../../naming/grouping/calibre.ts'
import { guessedFormat } from '../extensions.ts'
import { withoutExtension } from '../walker/kinds.ts'

/** Formats of text; the others are comics, of which a second file is a copy. */
const ebooks: ReadonlySet<FileFormat> = new Set(['epub', 'pdf', 'azw3', 'fb2', 'mobi'])

/** The first is best to read. A PDF is opened by every application, the formats after it by few. */
const bestFirst: readonly FileFormat[] = ['cbz', 'cbr', 'cb7', 'cbt', 'folder', 'epub', 'pdf', 'azw3', 'fb2', 'mobi']

export interface NamedFile extends FilePath {
  readonly isFolder: boolean
}

/**
 * Files of one folder with the same stem are one book (C21): their name without its extension. It answers undefined for a file
 * that is a book whatever lies beside it. It goes by names alone, so that a preview knows it, and a file that cannot be read.
 */
export const stemOf = ({ grouping }: Pick<NamingRules, 'grouping'>, file: NamedFile): string | undefined => {
  if (file.isFolder) return undefined
  const isFormat = ebooks.has(guessedFormat(file)) || (grouping.policy === 'calibre' && isFolderOfCalibre(file.folder))
  return isFormat ? withoutExtension(file.name) : undefined
}

/** The names that begin with this stem and a dot, as the databases compare them. */
export const namesWith = (stem: string): { readonly from: string; readonly behind: string } => ({
  from: `${stem}.`,
  behind: `${stem}/`,
})

export interface FileToChoose extends NamedFile {
  /** People have said so. */
  readonly isChosen: boolean
  readonly hasFault: boolean
}

/** A row of a file says it in figures. */
export const fileOfRow = ({
  folder,
  name,
  is_folder,
  is_chosen,
  fault_code,
}: FilePath & {
  readonly is_folder: number
  readonly is_chosen: number
  readonly fault_code: string | null
}): FileToChoose => ({
  folder,
  name,
  isFolder: is_folder === 1,
  isChosen: is_chosen === 1,
  hasFault: fault_code !== null,
})

/** Which of two files of a book is to be read comes first. */
export const byWorth = (one: FileToChoose, other: FileToChoose): number =>
  Number(other.isChosen) - Number(one.isChosen) ||
  Number(one.hasFault) - Number(other.hasFault) ||
  rankOf(one) - rankOf(other) ||
  (one.folder + one.name < other.folder + other.name ? -1 : 1)

const rankOf = (file: NamedFile): number => bestFirst.indexOf(guessedFormat(file))

/** Where files that lie beside each other are one book, only the one that would be read is left. */
export const bestFiles = <File extends FileToChoose & { readonly rootId: string }>(
  rules: Pick<NamingRules, 'grouping'>,
  files: readonly File[],
): readonly File[] => {
  const best = new Map<string, File>()
  const passedOver = new Set<File>()
  for (const file of files) {
    const stem = stemOf(rules, file)
    if (stem === undefined) continue
    const key = `${file.rootId}/${file.folder}/${stem}`
    const other = best.get(key)
    const isBetter = other === undefined || byWorth(file, other) < 0
    if (isBetter) best.set(key, file)
    if (other) passedOver.add(isBetter ? other : file)
  }
  return passedOver.size === 0 ? files : files.filter((file) => !passedOver.has(file))
}
