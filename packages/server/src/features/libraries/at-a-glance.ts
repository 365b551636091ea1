import type { LibraryAtAGlance } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { readCountsOfLibraries } from '../reading/reading.ts'
import { showSeriesById } from '../series/series.ts'
import { selectFirstSeries } from './queries.ts'
import { everyLibrary } from './libraries.ts'

/** It takes a handful of statements, however many libraries there are: every page shows it. */
export const glanceAtLibraries = async (
  db: ReadDb,
  viewer: Viewer,
): Promise<{ readonly libraries: LibraryAtAGlance[] }> => {
  const libraries = await everyLibrary(db, viewer)
  const ids = libraries.map(({ id }) => id)
  const first = await selectFirstSeries(db, viewer, ids)
  const series = new Map((await showSeriesById(db, viewer, [...first.values()].flat())).map((each) => [each.id, each]))
  const read = await readCountsOfLibraries(db, viewer, ids)
  return {
    libraries: libraries.map(({ id, name, status, seriesCount, bookCount }) => ({
      id,
      name,
      status,
      seriesCount,
      bookCount,
      unreadCount: Math.max(0, bookCount - (read.get(id) ?? 0)),
      covers: (first.get(id) ?? []).flatMap((seriesId) => {
        const shown = series.get(seriesId)
        if (!shown) return []
        const { coverVersion, placeholder, tone } = shown
        return [{ seriesId, coverVersion, placeholder, tone }]
      }),
    })),
  }
}
