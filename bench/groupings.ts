import type { Grouping } from '../packages/api/src/index.ts'

const pattern = '^(?<series>[^/]+?)(?: \\((?<year>\\d{4})\\))?/[^/]*?(?<number>\\d+)'

/** Each way to group, `top_folder` first, as a library of the first version has it. */
export const groupings: readonly Grouping[] = [
  { policy: 'top_folder', config: {} },
  { policy: 'folder', config: {} },
  { policy: 'volume_folders', config: {} },
  { policy: 'publisher_folders', config: { levels: ['publisher', 'series'] } },
  { policy: 'flat', config: {} },
  { policy: 'calibre', config: {} },
  { policy: 'metadata', config: {} },
  { policy: 'custom', config: { pattern } },
]
