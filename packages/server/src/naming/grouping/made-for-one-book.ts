import type { Grouping } from '@carrel/api'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { policyOf } from './grouping.ts'
import { namesOnPath } from './grouping-policy.ts'
import { isNumbered, readBook } from './series-by-name.ts'

/** A book, and what the grouping of its library knows its series by. */
interface GroupedBook {
  /** JSON, as the library keeps it. */
  readonly grouping: string
  readonly seriesKey: string
  /** Below its root. */
  readonly path: string
  readonly hasNumber: boolean
}

/**
 * Whether the grouping has made the series for this one book. What the book says of itself, and where people put it, would
 * have led to another key than its path alone, so that nobody need keep which series were made like that. A number that is
 * not in its name was said on purpose: such a book is the first of several.
 */
export const isMadeForOneBook = ({ grouping, seriesKey, path, hasNumber }: GroupedBook): boolean => {
  const { isOneShot, key } = policyOf(parsed(grouping)).seriesOf(path)
  return isOneShot === true && key === seriesKey && (!hasNumber || saysNumber(path))
}

const saysNumber = (path: string): boolean => {
  const [name = '', folder] = namesOnPath(path).toReversed()
  return isNumbered(readBook(name, folder))
}

const parsed = (text: string): Grouping => {
  const grouping = lately.get(text) ?? (JSON.parse(text) as Grouping)
  lately.set(text, grouping)
  return grouping
}

/** A policy is made once for each of these objects. */
const lately = new BoundedMap<Grouping>(100)
