import { type FileFormat, fileFormats, type LibraryDto, type LibraryPatch } from '@carrel/api'
import type { CompatLibrary, CompatLibraryChoices } from '@carrel/api/doors'
import { invalid } from '../../../platform/errors.ts'
import { formatsOf, hiddenFiles, type ShownOfLibrary, toCompatLibrary } from './libraries.ts'

/** It is a library with default choices. */
const defaultLibrary: ShownOfLibrary = {
  id: '',
  name: '',
  formats: null,
  exclude: [hiddenFiles],
  schedule: null,
  listsFromFiles: false,
  status: 'available',
}

export const newLibraryFrom = (choices: CompatLibraryChoices & { readonly name: string; readonly root: string }) => {
  requireAsItIs(choices, toCompatLibrary(defaultLibrary, asTheyAre), sentWithEach)
  return { ...choicesFrom(choices, defaultLibrary), name: choices.name, roots: [choices.root] }
}

export const libraryPatchFrom = (choices: CompatLibraryChoices, library: LibraryDto): LibraryPatch => {
  requireAsItIs(choices, toCompatLibrary(library, asTheyAre), new Set())
  const [first, ...others] = library.roots ?? []
  return {
    ...choicesFrom(choices, library),
    ...(choices.name != null && { name: choices.name }),
    // It is the first that is shown there; whatever folders a library has besides stay.
    ...(choices.root != null && choices.root !== first && { roots: [choices.root, ...others] }),
  }
}

const asTheyAre = { outId: (id: string) => id }

const choicesFrom = (
  { scanInterval, scanDirectoryExclusions, ...choices }: CompatLibraryChoices,
  standing: ShownOfLibrary,
): Pick<LibraryPatch, 'formats' | 'exclude' | 'schedule' | 'listsFromFiles'> => {
  const { scanInterval: rhythm } = toCompatLibrary(standing, asTheyAre)
  return {
    ...formatsFrom(choices, standing.formats),
    ...listsFrom(choices, standing),
    ...(scanDirectoryExclusions != null && { exclude: excludeFrom(scanDirectoryExclusions, standing.exclude) }),
    ...(scanInterval != null && scanInterval !== rhythm && { schedule: scheduleFrom(scanInterval, standing) }),
  }
}

// These choices say which files are books.

const kinds = ['scanCbx', 'scanPdf', 'scanEpub'] as const

const formatsFrom = (
  choices: Pick<CompatLibraryChoices, (typeof kinds)[number]>,
  standing: LibraryDto['formats'],
): Pick<LibraryPatch, 'formats'> => {
  const chosen = new Set<FileFormat>(standing ?? fileFormats)
  for (const kind of kinds) {
    const some = formatsOf[kind]
    if (choices[kind] === false) for (const format of some) chosen.delete(format)
    if (choices[kind] === true && !some.some((format) => chosen.has(format))) for (const each of some) chosen.add(each)
  }
  const formats = fileFormats.filter((each) => chosen.has(each))
  if (formats.join() === (standing ?? fileFormats).join()) return {}
  if (formats.length === 0) throw invalid('/scanCbx', 'A library needs at least one kind of file.')
  return { formats: formats.length === fileFormats.length ? null : formats }
}

// These choices say which lists are made. Here one says it of both kinds.

const listsFrom = (
  { importComicInfoCollection: collections, importComicInfoReadList: readLists }: CompatLibraryChoices,
  { listsFromFiles: standing }: Pick<LibraryDto, 'listsFromFiles'>,
): Pick<LibraryPatch, 'listsFromFiles'> => {
  if ((collections ?? standing) !== (readLists ?? standing))
    throw invalid(
      collections == null ? '/importComicInfoReadList' : '/importComicInfoCollection',
      'importComicInfoCollection and importComicInfoReadList are both on or both off: what files say makes both or neither.',
    )
  const listsFromFiles = collections ?? standing
  return listsFromFiles === standing ? {} : { listsFromFiles }
}

// These choices say what a scan skips, and when it runs.

const excludeFrom = (patterns: readonly string[], standing: readonly string[]): string[] => [
  ...patterns,
  ...(standing.includes(hiddenFiles) ? [hiddenFiles] : []),
]

const crons = {
  HOURLY: '0 * * * *',
  EVERY_6H: '0 */6 * * *',
  EVERY_12H: '0 */12 * * *',
  DAILY: '0 4 * * *',
  WEEKLY: '0 4 * * 0',
} as const

const scheduleFrom = (
  interval: CompatLibrary['scanInterval'],
  { schedule }: Pick<LibraryDto, 'schedule'>,
): NonNullable<LibraryPatch['schedule']> | null =>
  interval === 'DISABLED' ? null : { cron: crons[interval], timeZone: schedule?.timeZone ?? 'UTC' }

// These choices have no meaning here.

const always = 'What files say of themselves is always read; what a person says outranks it.'
const readOnly = 'Files are only ever read: nothing is renamed or converted.'
const hashingNote = 'Files are always hashed and measured, for books are known by it.'
const why = {
  importComicInfoBook: always,
  importComicInfoSeries: always,
  importComicInfoSeriesAppendVolume: 'Volumes of one series stay one series.',
  importEpubBook: always,
  importEpubSeries: always,
  importMylarSeries: always,
  importLocalArtwork: always,
  importBarcodeIsbn: 'Barcodes are not read.',
  scanForceModifiedTime: 'A scan goes by size and time of files; a deep one reads them all.',
  scanOnStartup: 'There is no scan at the start: choose an interval.',
  repairExtensions: readOnly,
  convertToCbz: readOnly,
  emptyTrashAfterScan: 'What is missing is kept until the trash is emptied.',
  seriesCover: 'A series is shown by its first book.',
  hashFiles: hashingNote,
  hashPages: 'Pages are not hashed one by one.',
  hashKoreader: hashingNote,
  analyzeDimensions: hashingNote,
  oneshotsDirectory: 'One-shots are found wherever they lie.',
} as const

/** Applications ask for these with every library they make, whatever its owner has thought of. */
const sentWithEach: ReadonlySet<string> = new Set([
  'importComicInfoSeriesAppendVolume',
  'importBarcodeIsbn',
  'hashKoreader',
])

const requireAsItIs = (
  choices: CompatLibraryChoices,
  standing: CompatLibrary,
  passedOver: ReadonlySet<string>,
): void => {
  for (const name of Object.keys(why) as (keyof typeof why)[]) {
    const value = choices[name] === '' ? null : choices[name]
    if (value == null || value === standing[name] || passedOver.has(name)) continue
    throw invalid(`/${name}`, `${name} cannot be ${String(value)}: ${why[name]}`)
  }
}
