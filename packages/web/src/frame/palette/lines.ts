import type { Command } from './find-commands.ts'
import { type GroupOfHits, type Hit, keyOfHit } from './hits.ts'

type GroupName = GroupOfHits | 'opened' | 'used' | 'commands' | 'more' | 'actions'

/** One line: something of a library, or something to do. */
export type Line = { readonly key: string } & (
  | { readonly hit: Hit; readonly command?: never }
  | { readonly command: Command; readonly hit?: never }
)

export interface Group {
  readonly name: GroupName
  readonly lines: readonly Line[]
}

export const lineOfHit = (hit: Hit): Line => ({ key: keyOfHit(hit), hit })
export const lineOfCommand = (command: Command): Line => ({ key: `do ${command.key}`, command })

export const linesIn = (groups: readonly Group[]): readonly Line[] => groups.flatMap(({ lines }) => lines)

/**
 * Nothing moves under the pointer: what was shown stays where it is, and what has come since stands below all of it.
 */
export const keepPositions = (shown: readonly Group[], next: readonly Group[]): readonly Group[] => {
  const fresh = new Map(linesIn(next).map((line) => [line.key, line]))
  const steady = shown.map(({ name, lines }) => ({
    name,
    lines: lines.map((line) => fresh.get(line.key) ?? line),
  }))
  const keys = new Set(linesIn(steady).map(({ key }) => key))
  const added = linesIn(next).filter(({ key }) => !keys.has(key))
  if (added.length === 0) return steady
  const last = steady.at(-1)
  return last?.name === 'more'
    ? [...steady.slice(0, -1), { name: 'more', lines: [...last.lines, ...added] }]
    : [...steady, { name: 'more', lines: added }]
}
