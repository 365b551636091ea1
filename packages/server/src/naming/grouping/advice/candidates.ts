import type { Grouping } from '@carrel/api'
import { people } from '../../authors.ts'
import { calibreTitle } from '../calibre.ts'
import { isNumberedTitle } from '../dividers.ts'
import type { Evidence } from './evidence.ts'

/** A way to group that is worth weighing, with the words for why. */
export interface Candidate extends Grouping {
  readonly reason: string
}

/** The candidates that fit are in the order in which they are preferred when one is as good as the other. */
export const candidatesFor = (books: readonly Evidence[]): readonly Candidate[] => {
  const share = (holds: (book: Evidence) => boolean): number =>
    books.length === 0 ? 0 : books.filter(holds).length / books.length
  const ofCalibre = share(isAsCalibreKeeps)
  const calibre: Candidate = {
    policy: 'calibre',
    config: {},
    reason: `${percent(ofCalibre)} of the books lie in folders as calibre makes them: Author/Title (id).`,
  }
  return [
    ...(ofCalibre >= 0.5 ? [calibre] : []),
    {
      policy: 'folder',
      config: {},
      reason: 'The books of a folder belong together, and each folder of books is a series.',
    },
    ...(share(isInPart) >= 0.5 ? [topFolder, volumeFolders] : [volumeFolders, topFolder]),
    ...levelled(books, share),
    { policy: 'flat', config: {}, reason: 'The names of the files say the series, and the folders do not.' },
    ...(ofCalibre > 0 && ofCalibre < 0.5 ? [calibre] : []),
  ]
}

const volumeFolders: Candidate = {
  policy: 'volume_folders',
  config: {},
  reason: 'The first folders are series, and those in them are volumes.',
}

const topFolder: Candidate = {
  policy: 'top_folder',
  config: {},
  reason: 'The first folders are series, however deep their books lie.',
}

/** `Series/01 - The Arc/007.cbz`: it has a number, and its folder is no volume. */
const isInPart = ({ folders, number, volume }: Evidence): boolean =>
  folders.length > 1 && isNumberedTitle(folders.at(-1) ?? '') && number !== undefined && volume === null

const levelled = (
  books: readonly Evidence[],
  share: (holds: (book: Evidence) => boolean) => number,
): readonly Candidate[] => {
  const tops = [...new Set(books.flatMap(({ folders: [top] }) => top ?? []))]
  const authors = tops.filter((top) => isPerson(top)).length / Math.max(1, tops.length)
  if (authors >= 0.5) {
    const reason = `${percent(authors)} of the first folders are names of people, and what is in them are series and single books.`
    return [{ policy: 'publisher_folders', config: { levels: ['author', 'series'] }, reason }]
  }
  const reason = (what: string): string => `The first folders are publishers, ${what}.`
  const two: Candidate = {
    policy: 'publisher_folders',
    config: { levels: ['publisher', 'series'] },
    reason: reason('and those in them are series'),
  }
  const three: Candidate = {
    policy: 'publisher_folders',
    config: { levels: ['publisher', 'imprint', 'series'] },
    reason: reason('with imprints, and those in them are series'),
  }
  return [
    ...(share(({ folders }) => folders.length > 1) >= 0.3 ? [two] : []),
    ...(share(({ folders }) => folders.length > 2) >= 0.3 ? [three] : []),
  ]
}

/** `Author/Title (id)/Title - Author`: a number in brackets alone is as often a year. */
const isAsCalibreKeeps = ({ folders, stem }: Evidence): boolean =>
  calibreTitle(folders.at(-1) ?? '') !== undefined && stem.endsWith(` - ${folders.at(-2)}`)

export const isPerson = (name: string): boolean => people(name) !== undefined

const percent = (share: number): string => `${Math.floor(share * 100)} %`
