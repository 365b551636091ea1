import type { FileFormat } from '@carrel/api'

const formatOf: Readonly<Record<string, FileFormat>> = {
  cbz: 'cbz',
  zip: 'cbz',
  cbr: 'cbr',
  rar: 'cbr',
  cb7: 'cb7',
  '7z': 'cb7',
  cbt: 'cbt',
  tar: 'cbt',
  epub: 'epub',
  pdf: 'pdf',
}

/** What the name says, until it is known better. */
export const guessedFormat = ({ name, isFolder }: { name: string; isFolder: boolean }): FileFormat =>
  isFolder ? 'folder' : (formatOf[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'cbz')

/** The extensions of books of these formats. */
export const extensionsOf = (formats: readonly FileFormat[] | null): string[] =>
  Object.entries(formatOf)
    .filter(([, format]) => formats === null || formats.includes(format))
    .map(([extension]) => `.${extension}`)
