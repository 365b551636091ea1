import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Nullable, OneOf, record } from '../../schema.ts'
import { byCompatId, Repeated } from './page.ts'
import { compat, exampleId } from './shared.ts'

export const CompatLibrary = record(
  {
    id: Type.String(),
    name: Type.String(),
    root: Type.String({ description: 'Only for those who manage libraries.' }),
    importComicInfoBook: Type.Boolean(),
    importComicInfoSeries: Type.Boolean(),
    importComicInfoCollection: Type.Boolean(),
    importComicInfoReadList: Type.Boolean(),
    importComicInfoSeriesAppendVolume: Type.Boolean(),
    importEpubBook: Type.Boolean(),
    importEpubSeries: Type.Boolean(),
    importMylarSeries: Type.Boolean(),
    importLocalArtwork: Type.Boolean(),
    importBarcodeIsbn: Type.Boolean(),
    scanForceModifiedTime: Type.Boolean(),
    scanInterval: OneOf(['DISABLED', 'HOURLY', 'EVERY_6H', 'EVERY_12H', 'DAILY', 'WEEKLY']),
    scanOnStartup: Type.Boolean(),
    scanCbx: Type.Boolean(),
    scanPdf: Type.Boolean(),
    scanEpub: Type.Boolean(),
    scanDirectoryExclusions: Type.Array(Type.String()),
    repairExtensions: Type.Boolean(),
    convertToCbz: Type.Boolean(),
    emptyTrashAfterScan: Type.Boolean(),
    seriesCover: OneOf(['FIRST', 'FIRST_UNREAD_OR_FIRST', 'FIRST_UNREAD_OR_LAST', 'LAST']),
    hashFiles: Type.Boolean(),
    hashPages: Type.Boolean(),
    hashKoreader: Type.Boolean(),
    analyzeDimensions: Type.Boolean(),
    oneshotsDirectory: Nullable(Type.String()),
    unavailable: Type.Boolean(),
  },
  { title: 'CompatLibrary' },
)
export type CompatLibrary = Static<typeof CompatLibrary>

const exampleLibrary: CompatLibrary = {
  id: exampleId,
  name: 'Manga',
  root: '',
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
  scanInterval: 'DISABLED',
  scanOnStartup: false,
  scanCbx: true,
  scanPdf: true,
  scanEpub: true,
  scanDirectoryExclusions: [],
  repairExtensions: false,
  convertToCbz: false,
  emptyTrashAfterScan: false,
  seriesCover: 'FIRST',
  hashFiles: true,
  hashPages: false,
  hashKoreader: true,
  analyzeDimensions: true,
  oneshotsDirectory: null,
  unavailable: false,
}

export const listCompatLibraries = endpoint('GET /{prefix}/api/v1/libraries', {
  ...compat,
  summary: 'The libraries you may see, by name',
  access: 'libraries:read',
  reply: Type.Array(CompatLibrary, { maxItems: 1000 }),
  example: { reply: [exampleLibrary] },
})

export const readCompatLibrary = endpoint('GET /{prefix}/api/v1/libraries/{id}', {
  ...compat,
  summary: 'One library',
  access: 'libraries:read',
  params: byCompatId,
  reply: CompatLibrary,
  errors: ['not_found'],
  example: { reply: exampleLibrary },
})

const work = {
  ...compat,
  access: 'libraries:write',
  params: byCompatId,
  status: 202,
  errors: ['not_found'],
} as const

export const scanCompatLibrary = endpoint('POST /{prefix}/api/v1/libraries/{id}/scan', {
  ...work,
  summary: 'Look for changes in a library',
  query: Type.Object({ deep: Type.Optional(Repeated) }),
})
export const analyzeCompatLibrary = endpoint('POST /{prefix}/api/v1/libraries/{id}/analyze', {
  ...work,
  summary: 'Look at all files of a library again',
})
export const refreshCompatLibrary = endpoint('POST /{prefix}/api/v1/libraries/{id}/metadata/refresh', {
  ...work,
  summary: 'Read the metadata of all files of a library again',
})
export const emptyCompatTrash = endpoint('POST /{prefix}/api/v1/libraries/{id}/empty-trash', {
  ...work,
  summary: 'Forget what is missing in a library for a month',
})
