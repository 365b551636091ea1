import { flatGrouping } from './flat.ts'
import { folderGrouping } from './folder.ts'
import type { GroupingPolicy } from './grouping-policy.ts'
import { volumeFoldersGrouping } from './volume-folders.ts'

/** Every way to group, by the name a library is set to (pins C8). */
export const groupingPolicies: ReadonlyMap<string, GroupingPolicy> = new Map(
  [folderGrouping, volumeFoldersGrouping, flatGrouping].map((policy) => [policy.name, policy]),
)
