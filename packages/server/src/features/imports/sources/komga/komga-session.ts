import { type AddressSource, SourceFault } from '../../records.ts'
import { type Answer, askJson, objectIn, objectsIn } from '../asking.ts'
import type { countPassedOver } from '../values.ts'
import { pathBelow, textOf } from '../values.ts'

/** What a reading of a running Komga has in hand. */
export interface KomgaSession {
  readonly source: AddressSource
  readonly passedOver: ReturnType<typeof countPassedOver>
  /** The roots of libraries, by id, as far as the key is told of them. */
  readonly roots: Map<string, string>
  /** Whose key it is: the progress that Komga shows is theirs. */
  readonly userId: string
}

const pageSize = 500
const pagesMax = 10_000

/** An id of theirs goes into addresses: what could lead elsewhere is none. */
export const idIn = (value: unknown): string | null => {
  const id = textOf(value, 101)
  return id !== null && /^[\w-]{1,100}$/.test(id) ? id : null
}

/**
 * All of a list, a page at a time, in the order in which its entries were made: what comes meanwhile stands at the end. What goes moves the
 * rest up, so that one may be missed: a list that turns out shorter than it said is told of.
 */
export async function* allOf({ source, passedOver }: KomgaSession, list: string): AsyncGenerator<Answer> {
  const seenIds = new Set<string>()
  let total = 0
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = objectIn(
      await askJson(source, `/api/v1/${list}?page=${page}&size=${pageSize}&sort=createdDate%2Casc`),
    )
    const { content, last, totalElements } = answer
    if (!Array.isArray(content))
      throw new SourceFault('wrong_kind', 'What answers at this address is no Komga: look at the address.')
    for (const each of objectsIn(content)) {
      const id = idIn(each['id'])
      if (id === null || seenIds.has(id)) continue
      seenIds.add(id)
      yield each
    }
    total = typeof totalElements === 'number' ? totalElements : seenIds.size
    if (last === true || content.length === 0) break
  }
  if (seenIds.size < total)
    passedOver.add(`${list} of which the order has changed while they were read: read it again`, 'unreadable')
}

/** Komga writes paths as its machine does, and shows where files lie to administrators alone. */
export const pathIn = (value: unknown): string | null => {
  const path = textOf(value)
  return path === null ? null : /^(?:[A-Za-z]:)?\\/.test(path) ? path.replaceAll('\\', '/') : path
}

export const belowRoot = ({ roots }: KomgaSession, library: string | null, value: unknown): string | null => {
  const [root, path] = [roots.get(library ?? ''), pathIn(value)]
  return root === undefined || path === null ? null : pathBelow(root, path)
}
