import type { folderLevels } from '@carrel/api'
import { parseSeriesName } from '../series-name.ts'
import { yearOfRun } from './dividers.ts'
import { type GroupingPolicy, namesOnPath, type PathClaims } from './grouping-policy.ts'
import { seriesByNameIn } from './series-by-name.ts'
import { volumeIn } from './volume-folders.ts'

type FolderLevel = (typeof folderLevels)[number]

/**
 * What each level of folders is has been said. A year below the series begins its numbers anew and is a series of its own.
 * Books that lie above the level of the series are grouped by the series their names say, each folder for itself.
 */
export const publisherFoldersGrouping = (levels: readonly FolderLevel[]): GroupingPolicy => {
  const atSeries = levels.indexOf('series')
  return {
    seriesOf: (relativePath) => {
      const names = namesOnPath(relativePath)
      const folders = names.slice(0, -1)
      const claims = claimsFrom(folders, levels)
      const finding = Object.keys(claims).length > 0 && { claims }
      if (folders.length <= atSeries) return { ...seriesByNameIn(folders, names.at(-1) ?? ''), ...finding }
      const folder = folders[atSeries] ?? ''
      const { title, year } = parseSeriesName(folder)
      const deeper = folders.slice(atSeries + 1)
      const runs = deeper.map(yearOfRun)
      const run = runs.findIndex((each) => each !== undefined)
      const path = folders.slice(0, atSeries + 2 + run).join('/')
      const began = runs[run] ?? year ?? undefined
      const volumeHint = volumeIn(deeper.slice(run + 1), title)
      const claimsWithYear = began === undefined ? claims : { ...claims, year: began }
      return {
        key: path,
        title: run < 0 ? title : `${title} (${began})`,
        path,
        ...(volumeHint !== undefined && { volumeHint }),
        ...(deeper.length > 0 && { namedAfter: folder }),
        ...(Object.keys(claimsWithYear).length > 0 && { claims: claimsWithYear }),
      }
    },
  }
}

const claimsFrom = (folders: readonly string[], levels: readonly FolderLevel[]): PathClaims => {
  const nameAt = (level: FolderLevel): string | undefined => folders[levels.indexOf(level)]
  const [publisher, imprint, author] = [nameAt('publisher'), nameAt('imprint'), nameAt('author')]
  return {
    ...(publisher !== undefined && { publisher }),
    ...(imprint !== undefined && { imprint }),
    ...(author !== undefined && { author }),
  }
}
