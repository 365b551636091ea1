import { originalTitlesOfSeries } from './042-original-titles-of-series.ts'
import { folderGroupingRenamed } from './043-folder-grouping-renamed.ts'
import { claimsOfBooks } from './044-claims-of-books.ts'
import { placesByHand } from './045-places-by-hand.ts'
import { gapsOfSeries } from './046-gaps-of-series.ts'
import { severalFilesOfBooks } from './047-several-files-of-books.ts'
import { listsFromFiles } from './048-lists-from-files.ts'
import { dividedSeriesOfScans } from './049-divided-series-of-scans.ts'
import { foundByOriginalTitles } from './050-found-by-original-titles.ts'
import { seriesNamedAfterRoots } from './051-series-named-after-roots.ts'
import { firstSummariesOfSeries } from './052-first-summaries-of-series.ts'
import { tonesOfCovers } from './053-tones-of-covers.ts'
import { metadataWrittenOut } from './054-metadata-written-out.ts'
import { importsFromOtherServers } from './055-imports-from-other-servers.ts'
import { keysOfImports } from './056-keys-of-imports.ts'
import { changeMarks } from './057-change-marks.ts'
import { uncountedReading } from './058-uncounted-reading.ts'
import { rankedSearch } from './059-ranked-search.ts'
import { writersBesideTitles } from './060-writers-beside-titles.ts'
import { slotsOfTasks } from './061-slots-of-tasks.ts'
import { wordsOfTexts } from './062-words-of-texts.ts'
import { claimsByBook } from './063-claims-by-book.ts'
import { seriesInPart } from './064-series-in-part.ts'
import { baseline } from './baseline/baseline.ts'
import type { Migration } from './migration.ts'

/** In the order of their versions, for ever: a migration that has left the house is never edited. */
export const migrations: readonly Migration[] = [
  baseline,
  originalTitlesOfSeries,
  folderGroupingRenamed,
  claimsOfBooks,
  placesByHand,
  gapsOfSeries,
  severalFilesOfBooks,
  listsFromFiles,
  dividedSeriesOfScans,
  foundByOriginalTitles,
  seriesNamedAfterRoots,
  firstSummariesOfSeries,
  tonesOfCovers,
  metadataWrittenOut,
  importsFromOtherServers,
  keysOfImports,
  changeMarks,
  uncountedReading,
  rankedSearch,
  writersBesideTitles,
  slotsOfTasks,
  wordsOfTexts,
  claimsByBook,
  seriesInPart,
]
