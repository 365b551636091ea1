import type { OutlineEntry } from '../book-format.ts'
import { cleanLine } from '../metadata/clean-text.ts'
import { type IndexEntry, readIndexTable } from './index-table.ts'
import type { PalmDatabase } from './palm-database.ts'

/** Numbers of what an entry of the table of contents says. */
const tags = { position: 1, label: 3, depth: 4, target: 6, parent: 21 }

/** An entry leads to a byte of the text, or of a fragment of KF8. */
export interface ContentsTarget {
  readonly position: number | undefined
  readonly fragment: number | undefined
  readonly offset: number
}

const depthMax = 16

/** The table of contents; `addressOf` knows where in the book a place is. It throws a `BookFault`. */
export const readContents = (
  database: PalmDatabase,
  position: number,
  { encoding, addressOf }: { encoding: string; addressOf: (target: ContentsTarget) => string | undefined },
): readonly OutlineEntry[] => {
  const { entries, words } = readIndexTable(database, position)
  const decoder = new TextDecoder(encoding)
  const roots: Growing[] = []
  const grown: (Growing | undefined)[] = []
  const lastOfDepth: Growing[] = []
  for (const [index, entry] of entries.entries()) {
    const written = words(entry.values(tags.label)[0] ?? 0)
    const title = cleanLine(written && decoder.decode(written))
    if (title === undefined) continue
    const parent = parentOf(entry, index, { grown, lastOfDepth })
    const depth = parent === undefined ? 0 : parent.depth + 1
    const item: Growing = { title, href: addressOf(targetOf(entry)), children: [], depth }
    grown[index] = item
    lastOfDepth[depth] = item
    if (parent === undefined) roots.push(item)
    else parent.children.push(item)
  }
  return roots.map(finished)
}

interface Growing {
  readonly title: string
  readonly href: string | undefined
  readonly children: Growing[]
  readonly depth: number
}

/** Some name the entry they belong to, which stands before them; others only say how deep they are. */
const parentOf = (
  entry: IndexEntry,
  index: number,
  { grown, lastOfDepth }: { grown: readonly (Growing | undefined)[]; lastOfDepth: readonly Growing[] },
): Growing | undefined => {
  const [named] = entry.values(tags.parent)
  const depth = entry.values(tags.depth)[0] ?? 0
  const parent = named === undefined ? lastOfDepth[depth - 1] : named < index ? grown[named] : undefined
  return parent !== undefined && parent.depth + 1 < depthMax ? parent : undefined
}

const targetOf = (entry: IndexEntry): ContentsTarget => {
  const [fragment, offset = 0] = entry.values(tags.target)
  return { position: entry.values(tags.position)[0], fragment, offset }
}

const finished = ({ title, href, children }: Growing): OutlineEntry => ({
  title,
  ...(href !== undefined && { href }),
  children: children.map(finished),
})
