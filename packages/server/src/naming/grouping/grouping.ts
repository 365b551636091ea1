import type { Grouping } from '@carrel/api'
import { calibreGrouping } from './calibre.ts'
import { customGrouping } from './custom.ts'
import { flatGrouping } from './flat.ts'
import { folderGrouping } from './folder.ts'
import type { GroupedSeries, GroupingHints, GroupingPolicy } from './grouping-policy.ts'
import { metadataGrouping } from './metadata.ts'
import { publisherFoldersGrouping } from './publisher-folders.ts'
import { seriesOfRoot } from './series-by-name.ts'
import { topFolderGrouping } from './top-folder.ts'
import { volumeFoldersGrouping } from './volume-folders.ts'

/** The policy of a library, made once for each object that says it: a pattern is dear to compile. */
export const policyOf = (grouping: Grouping): GroupingPolicy => {
  const made = policies.get(grouping) ?? makePolicy(grouping)
  policies.set(grouping, made)
  return made
}

export interface PathInRoot {
  /** What the folder is called that is the root. */
  readonly rootName: string
  /** Below it. */
  readonly path: string
}

/** The series of a book, by everything on its path: where nothing below the root names one, the root itself does. */
export const groupByPath = (
  grouping: Grouping,
  { rootName, path }: PathInRoot,
  hints?: GroupingHints,
): GroupedSeries => {
  const series = policyOf(grouping).seriesOf(path, hints)
  return (series.isNameless && seriesOfRoot(rootName)) || series
}

/** Empty for the root of a file system, or of a drive. */
export const nameOfRoot = (path: string): string => {
  const name = path.split(/[/\\]/).findLast((part) => part !== '') ?? ''
  return /^[a-z]:$/i.test(name) ? '' : name
}

export const usualLevels = ['publisher', 'series'] as const

const policies = new WeakMap<Grouping, GroupingPolicy>()

/** By these a book that says of itself in which series it is goes there. */
const askingBooks: ReadonlySet<Grouping['policy']> = new Set(['flat', 'calibre', 'metadata'])

export const asksBooks = ({ policy }: Pick<Grouping, 'policy'>): boolean => askingBooks.has(policy)

const makePolicy = (grouping: Grouping): GroupingPolicy => {
  switch (grouping.policy) {
    case 'folder':
      return folderGrouping
    case 'top_folder':
      return topFolderGrouping
    case 'volume_folders':
      return volumeFoldersGrouping
    case 'publisher_folders':
      return publisherFoldersGrouping(grouping.config.levels ?? usualLevels)
    case 'flat':
      return flatGrouping
    case 'calibre':
      return calibreGrouping
    case 'metadata':
      return metadataGrouping
    case 'custom':
      return customGrouping(grouping.config.pattern ?? '')
  }
}
