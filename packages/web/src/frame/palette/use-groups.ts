import { type BookListQuery, listBooksByCondition, suggest } from '@carrel/api'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { useLater } from '../../api/queries.ts'
import { useMe } from '../../session/me.ts'
import { wordsIn } from '../../text/marked.ts'
import { type Command, findCommands, mostUsed } from './find-commands.ts'
import { type Hit, hitOfBook, hitsFor, keyOfHit } from './hits.ts'
import { hitsInCache } from './cached-hits.ts'
import { type Group, keepPositions, lineOfCommand, lineOfHit } from './lines.ts'
import { useCommands } from './use-commands.ts'
import { readUsed } from './used-commands.ts'

export const scopes = ['all', 'library', 'commands'] as const
export type Scope = (typeof scopes)[number]

interface GroupQuery {
  readonly text: string
  readonly scope: Scope
}

interface GroupsOfQuery extends Steady {
  readonly words: readonly string[]
  /** The server has not answered yet: what is best may be still to come. */
  readonly isComing: boolean
}

/** The lines for what was typed: what the app knows at once, and what the server finds a moment later. */
export const useGroups = ({ text, scope }: GroupQuery): GroupsOfQuery => {
  const query = text.trim()
  const words = useMemo(() => wordsIn(query), [query])
  const { id: userId } = useMe()
  const commands = useCommands()
  const { opened, isLoading } = useOpened()
  const { suggested, isComing } = useSuggested(query)
  const hits = useMemo(() => together([...hitsInCache(), ...opened, ...suggested]), [opened, suggested])
  const groups =
    query === ''
      ? groupsBefore({ opened, commands, used: readUsed(userId) })
      : groupsFound({ query, words, cached: hits, suggested, commands })
  const shownGroups = groups.filter(({ name, lines }) => lines.length > 0 && isWithin(scope, name))
  return { ...useSteady(`${scope} ${query}`, shownGroups), words, isComing: isComing || isLoading }
}

const isWithin = (scope: Scope, name: Group['name']): boolean =>
  scope === 'all' || (scope === 'commands') === (name === 'commands' || name === 'used')

const together = (hits: readonly Hit[]): readonly Hit[] => [
  ...new Map(hits.map((hit) => [keyOfHit(hit), hit])).values(),
]

const begun: BookListQuery = { condition: { readStatus: { operator: 'is', value: 'in_progress' } } }
const begunInput = { query: { page: 1, pageSize: 20, sort: 'last_read,desc' }, body: begun } as const

/** The books that were opened last and are not finished: one goes on with them most often. */
const useOpened = (): { readonly opened: readonly Hit[]; readonly isLoading: boolean } => {
  const { data, isLoading } = useLater(listBooksByCondition, begunInput)
  const opened = useMemo(() => data?.data.map(hitOfBook) ?? [], [data])
  return { opened, isLoading }
}

/** Who types fast asks once. */
const waitMs = 80
const nothing: readonly Hit[] = []

const useSuggested = (query: string): { readonly suggested: readonly Hit[]; readonly isComing: boolean } => {
  const [settled] = useDebouncedValue(query, waitMs)
  const { data, isLoading } = useLater(suggest, { query: { q: settled } }, { enabled: settled !== '' })
  const isSettled = settled === query
  return {
    suggested: (isSettled && query !== '' ? data?.suggestions : undefined) ?? nothing,
    isComing: query !== '' && (!isSettled || isLoading),
  }
}

const openedMax = 5
const usedMax = 5

interface Before {
  readonly opened: readonly Hit[]
  readonly commands: readonly Command[]
  readonly used: ReadonlyMap<string, number>
}

/** What stands there before anything is typed. */
const groupsBefore = ({ opened, commands, used }: Before): readonly Group[] => [
  { name: 'opened', lines: opened.slice(0, openedMax).map(lineOfHit) },
  { name: 'used', lines: mostUsed(commands, used, usedMax).map(lineOfCommand) },
]

const commandsMax = { beside: 5, alone: 20 } as const

interface GroupSources extends Pick<Before, 'commands'> {
  readonly query: string
  readonly words: readonly string[]
  readonly cached: readonly Hit[]
  readonly suggested: readonly Hit[]
}

const groupsFound = ({ query, words, cached, suggested, commands }: GroupSources): readonly Group[] => {
  const hits = [...hitsFor(query, words, { cached, suggested })].map(([name, ofGroup]): Group => ({
    name,
    lines: ofGroup.map(lineOfHit),
  }))
  const isAlone = hits.every(({ lines }) => lines.length === 0)
  const matching = findCommands(commands, words).slice(0, isAlone ? commandsMax.alone : commandsMax.beside)
  return [...hits, { name: 'commands', lines: matching.map(lineOfCommand) }]
}

interface Steady {
  readonly groups: readonly Group[]
  readonly keep: () => void
}

/** Lines that have once been kept in their places for these words are kept there until others are typed. */
const useSteady = (query: string, next: readonly Group[]): Steady => {
  const [steady, setSteady] = useState<{ readonly query: string; readonly groups: readonly Group[] }>()
  const isKept = steady?.query === query
  return {
    groups: isKept ? keepPositions(steady.groups, next) : next,
    keep: () => {
      if (!isKept) setSteady({ query, groups: next })
    },
  }
}
