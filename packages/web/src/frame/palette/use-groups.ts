import { type BookListQuery, listBooksByCondition, suggest } from '@carrel/api'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { useLater } from '../../api/queries.ts'
import { useMe } from '../../session/me.ts'
import { wordsIn } from '../../text/marked.ts'
import { type Command, findCommands, mostUsed } from './find-commands.ts'
import { type Hit, hitOfBook, hitsFor, keyOfHit } from './hits.ts'
import { hitsInCache } from './known-hits.ts'
import { type Group, keepPlaces, lineOfCommand, lineOfHit } from './lines.ts'
import { useCommands } from './use-commands.ts'
import { readUsed } from './used-commands.ts'

export const scopes = ['all', 'library', 'commands'] as const
export type Scope = (typeof scopes)[number]

interface GroupQuery {
  readonly text: string
  readonly scope: Scope
}

interface FoundGroups extends Steady {
  readonly words: readonly string[]
  /** The server has not answered yet: what is best may be still to come. */
  readonly isComing: boolean
}

/** The lines for what was typed: what the app knows at once, and what the server finds a moment later. */
export const useGroups = ({ text, scope }: GroupQuery): FoundGroups => {
  const asked = text.trim()
  const words = useMemo(() => wordsIn(asked), [asked])
  const { id: userId } = useMe()
  const commands = useCommands()
  const { opened, isLoading } = useOpened()
  const { suggested, isComing } = useSuggested(asked)
  const known = useMemo(() => together([...hitsInCache(), ...opened, ...suggested]), [opened, suggested])
  const groups =
    asked === ''
      ? groupsBefore({ opened, commands, used: readUsed(userId) })
      : groupsFound({ asked, words, known, suggested, commands })
  const wanted = groups.filter(({ name, lines }) => lines.length > 0 && isWithin(scope, name))
  return { ...useSteady(`${scope} ${asked}`, wanted), words, isComing: isComing || isLoading }
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

const useSuggested = (asked: string): { readonly suggested: readonly Hit[]; readonly isComing: boolean } => {
  const [settled] = useDebouncedValue(asked, waitMs)
  const { data, isLoading } = useLater(suggest, { query: { q: settled } }, { enabled: settled !== '' })
  const isSettled = settled === asked
  return {
    suggested: (isSettled && asked !== '' ? data?.suggestions : undefined) ?? nothing,
    isComing: asked !== '' && (!isSettled || isLoading),
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
  readonly asked: string
  readonly words: readonly string[]
  readonly known: readonly Hit[]
  readonly suggested: readonly Hit[]
}

const groupsFound = ({ asked, words, known, suggested, commands }: GroupSources): readonly Group[] => {
  const hits = [...hitsFor(asked, words, { known, suggested })].map(([name, ofGroup]): Group => ({
    name,
    lines: ofGroup.map(lineOfHit),
  }))
  const isAlone = hits.every(({ lines }) => lines.length === 0)
  const found = findCommands(commands, words).slice(0, isAlone ? commandsMax.alone : commandsMax.beside)
  return [...hits, { name: 'commands', lines: found.map(lineOfCommand) }]
}

interface Steady {
  readonly groups: readonly Group[]
  readonly keep: () => void
}

/** Lines that have once been kept in their places for these words are kept there until others are typed. */
const useSteady = (asked: string, next: readonly Group[]): Steady => {
  const [kept, setKept] = useState<{ readonly asked: string; readonly groups: readonly Group[] }>()
  const isKept = kept?.asked === asked
  return {
    groups: isKept ? keepPlaces(kept.groups, next) : next,
    keep: () => {
      if (!isKept) setKept({ asked, groups: next })
    },
  }
}
