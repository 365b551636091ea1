import type { FileFormat } from '@carrel/api'
import { extensionOf } from './walker/kinds.ts'

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
  mobi: 'mobi',
  azw: 'mobi',
  azw3: 'azw3',
  fb2: 'fb2',
  'fb2.zip': 'fb2',
  fbz: 'fb2',
}

/** What the name says, until it is known better. */
export const guessedFormat = ({ name, isFolder }: { name: string; isFolder: boolean }): FileFormat =>
  isFolder ? 'folder' : (formatOf[extensionOf(name).slice(1)] ?? 'cbz')

/** The extensions of books of these formats. */
export const extensionsOf = (formats: readonly FileFormat[] | null): string[] =>
  Object.entries(formatOf)
    .filter(([, format]) => formats === null || formats.includes(format))
    .map(([extension]) => `.${extension}`)
