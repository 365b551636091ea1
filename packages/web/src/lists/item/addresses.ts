import { addressOf, readBookPicture, readSeriesPicture, type SeriesDto } from '@carrel/api'
import { basePath } from '../../api/base.ts'
import { paths } from '../../navigation/paths.ts'

/** Above this width a small cover (267 pixels wide) would be blurred. */
const smallWidth = 190

interface CoverOptions {
  readonly id: string
  readonly coverVersion?: string
}

const sizeFor = (width: number) => (width * Math.min(3, window.devicePixelRatio) > smallWidth * 1.4 ? 'large' : 'small')

/** The address contains the version of the cover, so that browsers may cache it for ever. */
export const seriesCover = ({ id, coverVersion }: CoverOptions, width = smallWidth): string =>
  basePath +
  addressOf(readSeriesPicture, {
    params: { id },
    query: { size: sizeFor(width), ...(coverVersion !== undefined && { v: coverVersion }) },
  })

export const bookCover = ({ id, coverVersion }: CoverOptions, width = smallWidth): string =>
  basePath +
  addressOf(readBookPicture, {
    params: { id },
    query: { size: sizeFor(width), ...(coverVersion !== undefined && { v: coverVersion }) },
  })

/** A one-shot has no page but that of its book. */
export const pathOfSeries = ({ id, oneShotBookId }: Pick<SeriesDto, 'id' | 'oneShotBookId'>): string =>
  oneShotBookId === null ? paths.series(id) : paths.book(oneShotBookId)
