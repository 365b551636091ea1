import { isDeepStrictEqual } from 'node:util'
import { lockOf } from '@carrel/api'
import { inLayers, type Person, type LayersBySource } from '../../../catalogue/metadata/metadata.ts'
import { termKey } from '../../../catalogue/terms/terms.ts'
import { patched, type Speaker, type State } from '../words-of.ts'

type Item = string | Person
type Lists = Readonly<Record<string, readonly Item[] | undefined>>

/** The same for many. */
export interface BulkPatch {
  readonly patch: Readonly<Record<string, unknown>>
  readonly add: Lists
  readonly remove: Lists
}

export interface BulkDecision {
  readonly words: LayersBySource
  /** What is locked, and is left alone. */
  readonly skipped: readonly string[]
  /** A list would become longer than any may be. */
  readonly isTooLong: boolean
}

const listMax = 1000

export const decideBulk =
  ({ patch, add, remove }: BulkPatch, speaker: Speaker) =>
  (state: State): BulkDecision => {
    const changes: Record<string, unknown> = { ...patch }
    for (const field of new Set([...Object.keys(add), ...Object.keys(remove)])) {
      const before = listIn(field in patch ? patch[field] : state.shown(field))
      const after = withItems(withoutItems(before, remove[field] ?? []), add[field] ?? [])
      if (!isDeepStrictEqual(before, after)) changes[field] = after
    }
    const skipped = Object.keys(changes).filter((field) => isHeld(state, field, patch))
    for (const field of skipped) delete changes[field]
    const isTooLong = Object.values(changes).some((value) => Array.isArray(value) && value.length > listMax)
    return { words: isTooLong ? state.words : patched(changes, speaker)(state), skipped, isTooLong }
  }

/** What a patch unlocks is free to be said at once. */
const isHeld = ({ words }: State, field: string, patch: BulkPatch['patch']): boolean =>
  words.lock[inLayers(field)] !== undefined && patch[lockOf(field)] !== false

const listIn = (value: unknown): readonly Item[] => (Array.isArray(value) ? (value as Item[]) : [])
const nameOf = (item: Item): string => termKey(typeof item === 'string' ? item : item.name)
const roleOf = (item: Item): string => (typeof item === 'string' ? '' : (item.role ?? ''))
const isSame = (one: Item, other: Item): boolean => nameOf(one) === nameOf(other) && roleOf(one) === roleOf(other)

/** Somebody who is named without a role goes with all of them. */
const isMeant = (item: Item, named: Item): boolean =>
  nameOf(item) === nameOf(named) && (roleOf(named) === '' || roleOf(item) === roleOf(named))

const withoutItems = (items: readonly Item[], removed: readonly Item[]): readonly Item[] =>
  items.filter((item) => !removed.some((each) => isMeant(item, each)))

const withItems = (items: readonly Item[], added: readonly Item[]): readonly Item[] =>
  added.reduce<readonly Item[]>((all, item) => (all.some((each) => isSame(each, item)) ? all : [...all, item]), items)
