import { folderGrouping } from './folder.ts'
import type { GroupingPolicy } from './grouping-policy.ts'
import { namedSeries } from './series-by-name.ts'

/**
 * The series is what the book says itself, in whatever folder; runs that began in different years are different series.
 * What says nothing is grouped as in `folder`.
 */
export const metadataGrouping: GroupingPolicy = {
  seriesOf: (relativePath, hints) => {
    const seriesName = hints?.metadataSeries?.normalize('NFC').trim() ?? ''
    if (seriesName === '') return folderGrouping.seriesOf(relativePath)
    return namedSeries(seriesName, hints?.metadataYear)
  },
}
