import { parseSeriesName } from '../series-name.ts'
import { type GroupingPolicy, namesOnPath } from './grouping-policy.ts'
import { seriesByName } from './series-by-name.ts'

/**
 * Each folder directly below the root is a series, with all that is below it. Files directly in the root are grouped by
 * the series their names say: they have no folder, and one series of everything that lies about helps nobody.
 */
export const topFolderGrouping: GroupingPolicy = {
  seriesOf: (relativePath) => {
    const [first = '', ...deeper] = namesOnPath(relativePath)
    if (deeper.length === 0) return seriesByName(first)
    return { key: first, title: parseSeriesName(first).title, path: first }
  },
}
