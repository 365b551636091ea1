import { addressOf, type BookDetail, type BookDto, type PageDto, readBookPicture, readPagePicture } from '@carrel/api'
import { useEffect, useRef } from 'react'
import { basePath } from '../../../api/base.ts'

/** Some phones cannot decode more pixels than this. */
const pixelsMax = 24_000_000
const widthMax = 3200
const thumbnailWidth = 320

export type PictureOf = (page: number) => string

/**
 * It gives the addresses of the pictures of a book. Pages of a PDF are rendered as large as this screen can show them.
 */
export const picturesOf = (book: BookDetail, pages: readonly PageDto[], screenPixels: number): PictureOf => {
  const drawn = book.fileFormat === 'pdf' ? drawnWidth(screenPixels) : undefined
  return (page) => addressOfPage(book, page, drawn ?? shrunkWidth(pages[page - 1]))
}

/** How wide a page of a PDF is drawn. */
export const drawnWidth = (screenPixels: number): number => Math.min(widthMax, Math.ceil(screenPixels / 400) * 400)

export const thumbnailOf = (book: BookDetail, page: number): string => addressOfPage(book, page, thumbnailWidth)

/** What is shown of a drawn page until it is there: a page of a PDF takes a moment to draw. */
export const smallPictureOf = (book: BookDetail): PictureOf | undefined =>
  book.fileFormat === 'pdf' ? (page) => stripPictureOf(book, page) : undefined

/** For the strip: twice as large as it is shown. */
export const stripPictureOf = (book: BookDetail, page: number): string => addressOfPage(book, page, 160)

export const coverOf = ({ id, coverVersion }: BookDto): string =>
  basePath + addressOf(readBookPicture, { params: { id }, query: { v: coverVersion } })

const shrunkWidth = (page: PageDto | undefined): number | undefined => {
  const { width, height } = page ?? {}
  if (width == null || height == null || width * height <= pixelsMax) return undefined
  return Math.min(widthMax, Math.floor(Math.sqrt((pixelsMax * width) / height)))
}

const addressOfPage = ({ id, fileHash }: BookDetail, page: number, width: number | undefined): string =>
  basePath +
  addressOf(readPagePicture, {
    params: { id, number: page },
    query: { ...(width !== undefined && { width }), ...(fileHash !== null && { v: fileHash }) },
  })

/**
 * It fetches and decodes pictures before they are shown. Pictures that are no longer needed are cancelled, also half
 * way.
 */
export const useHeldReady = (addresses: readonly string[]): void => {
  const held = useRef(new Map<string, HTMLImageElement>())
  const joinedAddresses = addresses.join(' ')
  useEffect(() => {
    const keep = new Set(joinedAddresses.split(' '))
    for (const [address, image] of held.current) {
      if (keep.has(address)) continue
      image.removeAttribute('src')
      held.current.delete(address)
    }
    for (const address of keep) {
      if (address === '' || held.current.has(address)) continue
      const image = new Image()
      image.src = address
      // A picture that cannot be decoded reports that where it is shown.
      image.decode().catch(() => undefined)
      held.current.set(address, image)
    }
  }, [joinedAddresses])
  useEffect(() => {
    const { current } = held
    return () => {
      for (const image of current.values()) image.removeAttribute('src')
      current.clear()
    }
  }, [])
}
