import { type folderLevels, type Grouping, type GroupingAdvice, groupingPolicies } from '@carrel/api'

type Policy = Grouping['policy']
export type Level = (typeof folderLevels)[number]

export const usualGrouping: Grouping = { policy: 'folder', config: {} }
const usualLevels: readonly Level[] = ['publisher', 'series']

/** Policies that have been weighed come first, the best of all on top; the others stand as they always do. */
export const policiesInOrder = (advice: readonly GroupingAdvice[]): readonly Policy[] => [
  ...new Set([...advice.map(({ policy }) => policy), ...groupingPolicies]),
]

/** What has been weighed of one policy; with several trees of publishers the better one. */
export const adviceOn = (policy: Policy, advice: readonly GroupingAdvice[]): GroupingAdvice | undefined =>
  advice.find((each) => each.policy === policy)

/** What has been weighed of exactly this: other levels would make other series. */
export const adviceFor = (grouping: Grouping, advice: readonly GroupingAdvice[]): GroupingAdvice | undefined =>
  advice.find(({ policy, config }) => isSameGrouping(grouping, { policy, config }))

export const isSameGrouping = (one: Grouping, other: Grouping): boolean =>
  one.policy === other.policy &&
  one.config.pattern === other.config.pattern &&
  one.config.levels?.join() === other.config.levels?.join()

/** Somebody who chooses a policy begins with what the advice has found for it. */
export const startOf = (policy: Policy, advice: readonly GroupingAdvice[]): Grouping => {
  if (policy === 'custom') return { policy, config: { pattern: '' } }
  if (policy !== 'publisher_folders') return { policy, config: {} }
  return { policy, config: { levels: [...(adviceOn(policy, advice)?.config.levels ?? usualLevels)] } }
}

/** The server refuses an empty pattern: it is not asked before there is one. */
export const isComplete = ({ policy, config }: Grouping): boolean => policy !== 'custom' || Boolean(config.pattern)

const reasons = ['calibre', 'folder', 'volume_folders', 'top_folder', 'flat'] as const

/** Why a policy fits, as a key of our strings: the sentence of the server is in its own language. */
export const reasonOf = ({ policy, config: { levels = [] } }: Grouping) => {
  if (policy !== 'publisher_folders') return reasons.find((each) => each === policy)
  return levels.includes('author') ? 'authors' : levels.includes('imprint') ? 'imprints' : 'publishers'
}
