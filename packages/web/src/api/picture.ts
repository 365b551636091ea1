import { addressOf, type readBookPicture, type readSeriesPicture } from '@carrel/api'
import { basePath } from './base.ts'

interface Covered {
  readonly id: string
  /** Part of the address: a picture that is kept for ever changes its address with its content. */
  readonly coverVersion: string
}

/** Where the cover of a book or series is. Screens with many pixels, and large covers, want `large`. */
export const pictureOf = (
  endpoint: typeof readSeriesPicture | typeof readBookPicture,
  { id, coverVersion }: Covered,
  size: 'small' | 'large' = 'small',
): string => basePath + addressOf(endpoint, { params: { id }, query: { size, v: coverVersion } })
