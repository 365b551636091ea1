import { fold } from '../../../platform/text/sort-key.ts'
import type { BookName } from '../../book-name.ts'
import { readDigits } from '../../numerals.ts'
import type { PathInRoot } from '../grouping.ts'
import { namesOnPath } from '../grouping-policy.ts'
import { isNumbered, readBook } from '../series-by-name.ts'

/** What the name of a book says, for whoever compares ways to group. */
export interface Evidence {
  readonly path: string
  /** What the folder is called that is the root. */
  readonly rootName: string
  readonly folders: readonly string[]
  /** Without its extension: the formats of one book have the same. */
  readonly stem: string
  /** The series that the name says, folded; empty when it says none. */
  readonly label: string
  /** Its place among others: a chapter, an issue or a volume. */
  readonly number: number | undefined
  /** The volume beside a chapter or an issue. */
  readonly volume: number | null
  /** The name is a title and nothing more, folded. */
  readonly title: string | undefined
  /** In brackets before it: who has made it, in names of a certain kind. */
  readonly maker: string | undefined
}

export const evidenceOf = ({ rootName, path }: PathInRoot): Evidence => {
  const names = namesOnPath(path)
  const name = names.at(-1) ?? ''
  const parsed = readBook(name, names.at(-2))
  return {
    path,
    rootName,
    folders: names.slice(0, -1),
    stem: path.replace(/\.\w{2,5}$/, ''),
    label: parsed.seriesTitle === null ? '' : fold(parsed.seriesTitle),
    number: numberOf(parsed),
    volume: parsed.volume,
    title: isNumbered(parsed) || parsed.seriesTitle !== null || parsed.isSpecial ? undefined : fold(parsed.title ?? ''),
    maker: /^(?:\([^)]*\) ?)?\[[^\]]+\]/.exec(name)?.[0].toLowerCase(),
  }
}

const numberOf = ({ volume, chapter, number }: BookName): number | undefined =>
  chapter ?? (number === null ? null : readDigits(number)) ?? volume ?? undefined
