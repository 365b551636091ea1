import type { LibraryDto } from '@carrel/api'
import type { CompatLibrary } from '@carrel/api/doors'
import type { Spelling } from '../spelling.ts'

/** What these applications ask about a library and ours are not asked is answered as ours are. */
export const toCompatLibrary = (
  { id, name, path, formats, exclude, schedule, status }: LibraryDto,
  { outId }: Pick<Spelling, 'outId'>,
): CompatLibrary => {
  const reads = (...some: readonly string[]): boolean =>
    formats === null || formats.some((format) => some.includes(format))
  return {
    id: outId(id),
    name,
    root: path ?? '',
    importComicInfoBook: true,
    importComicInfoSeries: true,
    importComicInfoCollection: false,
    importComicInfoReadList: false,
    importComicInfoSeriesAppendVolume: false,
    importEpubBook: true,
    importEpubSeries: true,
    importMylarSeries: true,
    importLocalArtwork: true,
    importBarcodeIsbn: false,
    scanForceModifiedTime: false,
    scanInterval: schedule === null ? 'DISABLED' : 'DAILY',
    scanOnStartup: false,
    scanCbx: reads('cbz', 'cbr', 'cb7', 'cbt'),
    scanPdf: reads('pdf'),
    scanEpub: reads('epub'),
    scanDirectoryExclusions: exclude,
    repairExtensions: false,
    convertToCbz: false,
    emptyTrashAfterScan: false,
    seriesCover: 'FIRST',
    hashFiles: true,
    hashPages: false,
    hashKoreader: true,
    analyzeDimensions: true,
    oneshotsDirectory: null,
    unavailable: status === 'unavailable',
  }
}
