import { isFound, isWithin } from '../../text/marked.ts'
import type { IconName } from '../../ui/icon.tsx'

/** A place to go to, or something to do; in the language of the user. */
export interface Command {
  readonly key: string
  readonly icon: IconName
  readonly name: string
  /** It stands in the second line. */
  readonly where: string
  /** It is found by these, too. */
  readonly words: string
  readonly to?: string
  readonly run?: () => void
  /** The keys that do the same. */
  readonly shortcut?: string | undefined
}

/** It finds what fits, the best first: by a word of the name, by a part of it, by other words for it. */
export const findCommands = (commands: readonly Command[], words: readonly string[]): readonly Command[] =>
  commands
    .map((command) => ({ command, rank: rankOf(command, words) }))
    .filter(({ rank }) => rank < none)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ command }) => command)

const none = 4

const rankOf = ({ name, words: others, where }: Command, words: readonly string[]): number => {
  if (isFound(name, words)) return 0
  if (isFound(`${name} ${others}`, words)) return 1
  if (isWithin(name, words)) return 2
  return isFound(`${name} ${others} ${where}`, words) ? 3 : none
}

/** What was done most, and where little was done yet, what is useful to most. */
export const mostUsed = (
  commands: readonly Command[],
  used: ReadonlyMap<string, number>,
  count: number,
): readonly Command[] => {
  const timesOf = ({ key }: Command): number => used.get(key) ?? 0
  const usualPlace = ({ key }: Command): number => {
    const at = usual.indexOf(key)
    return at < 0 ? usual.length : at
  }
  return commands
    .toSorted((one, other) => timesOf(other) - timesOf(one) || usualPlace(one) - usualPlace(other))
    .slice(0, count)
}

const usual = ['wantToRead', 'scanAll', 'statistics', 'theme', 'keyboard', 'readingHistory']
