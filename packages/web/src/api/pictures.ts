import { addressOf, readBookPicture, readPagePicture, readSeriesPicture } from '@carrel/api'
import { basePath } from './base.ts'

type Size = 'small' | 'large'

interface Covered {
  readonly id: string
  readonly coverVersion: string
}

/** Where the picture is: with its version in the address, so that it may be kept for ever. */
export const seriesPicture = ({ id, coverVersion }: Covered, size: Size = 'small'): string =>
  basePath + addressOf(readSeriesPicture, { params: { id }, query: { size, v: coverVersion } })

export const bookPicture = ({ id, coverVersion }: Covered, size: Size = 'small'): string =>
  basePath + addressOf(readBookPicture, { params: { id }, query: { size, v: coverVersion } })

interface PageOfBook {
  readonly id: string
  readonly fileHash: string | null
  readonly number: number
  readonly width: number
}

export const pagePicture = ({ id, fileHash, number, width }: PageOfBook): string =>
  basePath +
  addressOf(readPagePicture, {
    params: { id, number },
    query: { width, format: 'webp', ...(fileHash !== null && { v: fileHash }) },
  })
