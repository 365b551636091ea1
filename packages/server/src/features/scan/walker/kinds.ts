/** What NAS systems, desktops and archives leave lying about; never a book, never looked into. */
const ignored = new Set([
  '@eadir',
  '#recycle',
  '#snapshot',
  '$recycle.bin',
  '__macosx',
  'lost+found',
  'system volume information',
  'thumbs.db',
])

export const isIgnored = (name: string): boolean => name.startsWith('.') || ignored.has(name.toLowerCase())

const pictureExtensions = new Set([
  '.jpg',
  '.jpeg',
  '.png',
  '.webp',
  '.gif',
  '.avif',
  '.jxl',
  '.bmp',
  '.tif',
  '.tiff',
  '.heic',
])
const metadataSidecars = new Set(['series.json', 'metadata.opf', 'comicinfo.xml'])
const coverNames = new Set(['cover', 'folder', 'poster', 'default', 'series'])

type Kind = 'book' | 'picture' | 'sidecar' | 'other'

/** By its name alone: what is inside decides later. */
export const kindOf = (name: string, extensions: ReadonlySet<string>): Kind => {
  const lower = name.toLowerCase()
  const extension = extensionOf(name)
  if (extension === '') return 'other'
  if (extensions.has(extension)) return 'book'
  if (metadataSidecars.has(lower) || extension === '.opf') return 'sidecar'
  if (!pictureExtensions.has(extension)) return 'other'
  return coverNames.has(lower.slice(0, -extension.length)) ? 'sidecar' : 'picture'
}

/** With its dot and in lower case; that of a FictionBook in a ZIP is both. Nothing for a name that begins with its only dot. */
export const extensionOf = (name: string): string => {
  const lower = name.toLowerCase()
  const dot = lower.endsWith('.fb2.zip') ? lower.length - '.fb2.zip'.length : lower.lastIndexOf('.')
  return dot <= 0 ? '' : lower.slice(dot)
}

export const withoutExtension = (name: string): string => {
  const extension = extensionOf(name)
  return extension === '' ? name : name.slice(0, -extension.length)
}

/** What a sidecar is about. */
export const kindOfSidecar = (name: string): 'opf' | 'series.json' | 'comicinfo' | 'picture' => {
  const lower = name.toLowerCase()
  if (lower === 'series.json') return 'series.json'
  if (lower === 'comicinfo.xml') return 'comicinfo'
  return lower.endsWith('.opf') ? 'opf' : 'picture'
}

/** A folder that held this many and is empty now is more likely unmounted than emptied (C10). */
export const manyBooks = 20
