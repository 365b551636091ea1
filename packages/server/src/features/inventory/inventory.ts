import type { Inventory } from '@carrel/api'
import { sharedAnswers, type Viewer } from '../../catalogue/visibility/visibility.ts'
import type { Context } from '../../context.ts'
import { everyLibrary } from '../libraries/libraries.ts'
import { type FilesOfLibrary, selectFilesOfLibraries } from './queries.ts'

const cachedMax = 100

export const inventoryReading = ({ db }: Pick<Context, 'db'>) => {
  const cached = sharedAnswers<ReadonlyMap<string, FilesOfLibrary>>(db, cachedMax)
  return async (viewer: Viewer): Promise<Inventory> => {
    const [libraries, files, databaseSize] = await Promise.all([
      everyLibrary(db.readSlowly, viewer),
      cached(viewer, '', () => selectFilesOfLibraries(db.readSlowly, viewer)),
      db.dialect.size(db.readSlowly),
    ])
    const counted = libraries.map(({ id, name, seriesCount, bookCount }) => {
      const { pages, bytes } = files.get(id) ?? { pages: 0, bytes: 0 }
      return { id, name, seriesCount, bookCount, pageCount: pages, totalSize: bytes }
    })
    const sumOf = (field: 'seriesCount' | 'bookCount' | 'pageCount' | 'totalSize'): number =>
      counted.reduce((sum, library) => sum + library[field], 0)
    return {
      libraryCount: counted.length,
      seriesCount: sumOf('seriesCount'),
      bookCount: sumOf('bookCount'),
      pageCount: sumOf('pageCount'),
      totalBookSize: sumOf('totalSize'),
      databaseSize,
      libraries: counted,
    }
  }
}
