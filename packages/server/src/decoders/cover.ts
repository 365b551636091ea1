import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Sharp } from 'sharp'
import { BookFault, type PageLocation, type Picture } from '../formats/book-format.ts'
import { loadSharp } from '../formats/images/load-sharp.ts'
import { nameFromBytes, pathForSystem } from '../platform/files/file-names.ts'
import { openLibraryFile } from '../platform/storage/library-files.ts'
import { coverShape, type Size } from './cover-shape.ts'
import { withBook } from './open-book.ts'
import { type BookLocation, readPageOf } from './page.ts'
import { asFault, openPicture } from './pictures.ts'
import { packTone, toneOf } from './tone.ts'

export interface CoverSizes {
  /** The longer side of the small one, of a picture shaped as books are (`coverShape`); the large one is twice as large. */
  readonly edge: number
  readonly quality: number
}

export interface BookCoverInput extends BookLocation {
  readonly sizes: CoverSizes
  /** The page that stands for the book, and where it is when that is known. */
  readonly page: { readonly number: number; readonly location: PageLocation | null; readonly size: number } | null
  /** The half of a page that shows back and front at once. */
  readonly half: 'left' | 'right' | null
  /** A picture such as `cover.jpg` in the folder of the book belongs to the book, to its series, or to neither. */
  readonly folderPicture: 'book' | 'series' | 'nobody'
}

export interface MadeCover {
  readonly small: Buffer
  readonly large: Buffer
  /** Width and height are those of the large picture. */
  readonly width: number
  readonly height: number
  /** Thumbhash, base64. */
  readonly placeholder: string
  /** Its colours, packed. */
  readonly tone: string
}

export interface BookCovers {
  readonly book: MadeCover & { readonly source: 'file' | 'page' | 'sidecar'; readonly page: number | null }
  readonly series: MadeCover | null
}

/** The cover of a book is a picture beside it, else its own cover. */
export const bookCover = async (input: BookCoverInput): Promise<BookCovers> => {
  const beside = picturesBeside(input)
  const series = beside.series ? await tryPicture(beside.series, input.sizes) : null
  const sidecar = beside.book ? await tryPicture(beside.book, input.sizes) : null
  if (sidecar) return { book: { ...sidecar, source: 'sidecar', page: null }, series }
  const { bytes } = await coverOf(input)
  const made = await makeCover(bytes, input.sizes, input.half)
  return { book: { ...made, source: 'file', page: input.page?.number ?? null }, series }
}

const coverOf = async ({ page, path, isFolder, cacheDir }: BookCoverInput): Promise<Picture> => {
  const where = { path, isFolder, cacheDir }
  if (page?.location) return readPageOf({ ...where, ...page, maxEdge: null })
  return withBook(where, cacheDir, async (book) => {
    const isFirst = !page || page.number === 1
    const picture = isFirst ? await book.readCover() : await book.readPage(page.number)
    if (!picture) throw new BookFault('empty', 'The book has no cover.')
    return picture
  })
}

/** A picture somebody sent, or a page. */
export const cover = ({ bytes, sizes }: { readonly bytes: Buffer; readonly sizes: CoverSizes }): Promise<MadeCover> =>
  makeCover(bytes, sizes, null)

export const pageCover = async (
  input: Omit<BookCoverInput, 'half' | 'folderPicture' | 'page'> & {
    readonly page: NonNullable<BookCoverInput['page']>
  },
): Promise<MadeCover> => {
  const { page, sizes, ...where } = input
  const { bytes } = await readPageOf({ ...where, ...page, maxEdge: null })
  return makeCover(bytes, sizes, null)
}

const makeCover = async (
  bytes: Buffer,
  { edge, quality }: CoverSizes,
  half: 'left' | 'right' | null,
): Promise<MadeCover> => {
  const { picture, metadata } = await openPicture(bytes)
  try {
    const { width, height } = metadata.autoOrient
    const cut = half && width > height ? await halfOf(picture, { width, height }, half, edge) : undefined
    const large = await pixelsOf(fitted(cut?.picture ?? picture, cut?.size ?? { width, height }, edge * 2))
    const small = await pixelsOf(fitted(await pictureOf(large), large, edge))
    return {
      small: await (await pictureOf(small)).jpeg({ quality }).toBuffer(),
      large: await (await pictureOf(large)).jpeg({ quality }).toBuffer(),
      width: large.width,
      height: large.height,
      ...(await glimpseOf(await pictureOf(small))),
    }
  } catch (error) {
    throw asFault(error, metadata.format)
  }
}

const fitted = (picture: Sharp, { width, height }: Size, edge: number): Sharp => {
  const { shownHeight, box } = coverShape({ width, height }, edge)
  const shown = shownHeight < height ? picture.extract({ left: 0, top: 0, width, height: shownHeight }) : picture
  return shown.flatten({ background: '#ffffff' }).resize({ ...box, fit: 'inside', withoutEnlargement: true })
}

/** Smaller first: a page of two is not kept in memory at its full size for long. */
const halfOf = async (
  picture: Sharp,
  { width, height }: Size,
  half: 'left' | 'right',
  edge: number,
): Promise<{ readonly picture: Sharp; readonly size: Size }> => {
  const scale = Math.min(1, (edge * 2) / height)
  const fullSize = { width: Math.max(2, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const { data, info } = await picture
    .flatten({ background: '#ffffff' })
    .resize({ ...fullSize, fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const across = Math.floor(info.width / 2)
  const sharp = await loadSharp()
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const size = { width: across, height: info.height }
  const left = half === 'left' ? 0 : info.width - across
  return { picture: sharp(data, { raw }).extract({ left, top: 0, ...size }), size }
}

/** A page is decoded once: both sizes and what is told of them are made of the same pixels. */
interface Pixels extends Size {
  readonly data: Buffer
  readonly channels: 1 | 2 | 3 | 4
}

const pixelsOf = async (picture: Sharp): Promise<Pixels> => {
  const { data, info } = await picture.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

const pictureOf = async ({ data, ...raw }: Pixels): Promise<Sharp> => (await loadSharp())(data, { raw })

/** What is told of a cover before it is seen. */
const glimpseOf = async (cover: Sharp): Promise<Pick<MadeCover, 'placeholder' | 'tone'>> => {
  const { data, width, height } = await fewPixels(cover)
  const { rgbaToThumbHash } = await import('thumbhash')
  const placeholder = Buffer.from(rgbaToThumbHash(width, height, data)).toString('base64')
  return { placeholder, tone: packTone(toneOf(data)) }
}

const fewPixels = async (cover: Sharp): Promise<Size & { readonly data: Buffer }> => {
  const few = cover.resize({ width: 100, height: 100, fit: 'inside' })
  const { data, info } = await few.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Covers that were made before their colours were wanted: the picture that there is says them, without its book. */
export const coverTone = async ({ bytes }: { readonly bytes: Buffer }): Promise<string> =>
  packTone(toneOf((await fewPixels((await loadSharp())(bytes))).data))

const extensions = new Set(['.jpg', '.jpeg', '.png', '.webp', '.avif', '.gif'])
const folderNames = ['cover', 'folder', 'poster']
const sidecarBytesMax = 32 * 1024 * 1024

interface Beside {
  readonly book: string | undefined
  readonly series: string | undefined
}

const picturesBeside = ({ path, isFolder, folderPicture }: BookCoverInput): Beside => {
  const folder = dirname(path)
  const names = listPictures(folder)
  const own = stemOf(basename(path), isFolder)
  const named = names.find((name) => stemOf(name, false) === own)
  const general = folderNames.flatMap(
    (word) => names.find((name) => stemOf(name, false).toLowerCase() === word) ?? [],
  )[0]
  const at = (name: string | undefined) => (name === undefined ? undefined : join(folder, name))
  return {
    book: at(named ?? (folderPicture === 'book' ? general : undefined)),
    series: at(folderPicture === 'series' ? general : undefined),
  }
}

const stemOf = (name: string, isFolder: boolean): string => {
  if (isFolder) return name
  const packed = name.search(/\.fb2\.zip$/i)
  const dot = packed > 0 ? packed : name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}

/** Books of one folder come one after the other. */
let listed: { readonly folder: string; readonly changedMs: number; readonly names: readonly string[] } | undefined

const listPictures = (folder: string): readonly string[] => {
  try {
    const { mtimeMs } = lstatSync(pathForSystem(folder))
    if (listed?.folder === folder && listed.changedMs === mtimeMs) return listed.names
    const names = readdirSync(pathForSystem(folder), { encoding: 'buffer' })
      .map(nameFromBytes)
      .filter((name) => extensions.has(name.slice(name.lastIndexOf('.')).toLowerCase()))
    listed = { folder, changedMs: mtimeMs, names }
    return names
  } catch {
    return []
  }
}

/** One that is no picture after all stands for nothing. */
const tryPicture = async (path: string, sizes: CoverSizes): Promise<MadeCover | null> => {
  try {
    const file = openLibraryFile(path)
    try {
      if (file.size > sidecarBytesMax) return null
      return await makeCover(file.read(0, file.size), sizes, null)
    } finally {
      file.close()
    }
  } catch {
    return null
  }
}
