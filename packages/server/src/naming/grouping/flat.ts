import { type GroupingPolicy, namesOnPath } from './grouping-policy.ts'
import { namedSeries, seriesByName } from './series-by-name.ts'

/** Folders do not count: the series is what the book says itself, or else what the name of its file says. */
export const flatGrouping: GroupingPolicy = {
  seriesOf: (relativePath, hints) => {
    const seriesName = hints?.metadataSeries?.normalize('NFC').trim() ?? ''
    if (seriesName !== '') return namedSeries(seriesName)
    const names = namesOnPath(relativePath)
    return seriesByName(names.at(-1) ?? '', names.at(-2))
  },
}
