import { isMadeForOneBook } from '../../naming/grouping/made-for-one-book.ts'
import type { MaybeOneShot } from './queries.ts'

export { type MaybeOneShot, oneShotColumns } from './queries.ts'

/** The only book of its series, which is said to be whole or was made a series by its grouping. */
export const isOneShot = (book: MaybeOneShot): boolean =>
  book.is_only === 1 && (book.is_whole === 1 || isMadeForOne(book))

const isMadeForOne = ({ grouping, series_key, folder, file_name, has_number }: MaybeOneShot): boolean =>
  grouping !== null &&
  series_key !== null &&
  file_name !== null &&
  isMadeForOneBook({
    grouping,
    seriesKey: series_key,
    path: `${folder ?? ''}${file_name}`,
    hasNumber: has_number === 1,
  })
