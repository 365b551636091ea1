import type { FileFormat, LibraryDto } from '@carrel/api'
import type { CompatLibrary } from '@carrel/api/doors'
import type { Spelling } from '../spelling.ts'

export type ShownOfLibrary = Pick<
  LibraryDto,
  'id' | 'name' | 'path' | 'formats' | 'exclude' | 'schedule' | 'listsFromFiles' | 'status'
>

/** These applications never look into hidden files, and have no pattern for them. */
export const hiddenFiles = '**/.*'

export const formatsOf = {
  scanCbx: ['cbz', 'cbr', 'cb7', 'cbt', 'folder'],
  scanPdf: ['pdf'],
  scanEpub: ['epub'],
} as const satisfies Readonly<Record<string, readonly FileFormat[]>>

/** Fields that these applications have and our libraries do not have are answered with fixed values. */
export const toCompatLibrary = (
  { id, name, path, formats, exclude, schedule, listsFromFiles, status }: ShownOfLibrary,
  { outId }: Pick<Spelling, 'outId'>,
): CompatLibrary => {
  const reads = (kind: keyof typeof formatsOf): boolean =>
    formats === null || formatsOf[kind].some((format) => formats.includes(format))
  return {
    id: outId(id),
    name,
    root: path ?? '',
    importComicInfoBook: true,
    importComicInfoSeries: true,
    importComicInfoCollection: listsFromFiles,
    importComicInfoReadList: listsFromFiles,
    importComicInfoSeriesAppendVolume: false,
    importEpubBook: true,
    importEpubSeries: true,
    importMylarSeries: true,
    importLocalArtwork: true,
    importBarcodeIsbn: false,
    scanForceModifiedTime: false,
    scanInterval: intervalOf(schedule),
    scanOnStartup: false,
    scanCbx: reads('scanCbx'),
    scanPdf: reads('scanPdf'),
    scanEpub: reads('scanEpub'),
    scanDirectoryExclusions: exclude.filter((each) => each !== hiddenFiles),
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

/** The nearest there is to a pattern of five fields. */
const intervalOf = (schedule: LibraryDto['schedule']): CompatLibrary['scanInterval'] => {
  if (schedule === null) return 'DISABLED'
  const [, hour = '', dayOfMonth, , dayOfWeek] = schedule.cron.trim().split(/\s+/)
  const [, step] = /^\*(?:\/(\d+))?$/.exec(hour) ?? []
  if (hour.startsWith('*')) return Number(step ?? 1) < 4 ? 'HOURLY' : Number(step) < 9 ? 'EVERY_6H' : 'EVERY_12H'
  return dayOfMonth === '*' && dayOfWeek === '*' ? 'DAILY' : 'WEEKLY'
}
