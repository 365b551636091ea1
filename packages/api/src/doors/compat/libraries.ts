import { type Static, type TSchema, Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Nullable, OneOf, record } from '../../schema.ts'
import { byCompatId, Repeated } from './page.ts'
import { compat, exampleId } from './shared.ts'

const flags = {
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
  scanOnStartup: Type.Boolean(),
  scanCbx: Type.Boolean(),
  scanPdf: Type.Boolean(),
  scanEpub: Type.Boolean(),
  repairExtensions: Type.Boolean(),
  convertToCbz: Type.Boolean(),
  emptyTrashAfterScan: Type.Boolean(),
  hashFiles: Type.Boolean(),
  hashPages: Type.Boolean(),
  hashKoreader: Type.Boolean(),
  analyzeDimensions: Type.Boolean(),
}
const scanInterval = OneOf(['DISABLED', 'HOURLY', 'EVERY_6H', 'EVERY_12H', 'DAILY', 'WEEKLY'])
const seriesCover = OneOf(['FIRST', 'FIRST_UNREAD_OR_FIRST', 'FIRST_UNREAD_OR_LAST', 'LAST'])

export const CompatLibrary = record(
  {
    id: Type.String(),
    name: Type.String(),
    root: Type.String({ description: 'Only for those who manage libraries.' }),
    ...flags,
    scanInterval,
    scanDirectoryExclusions: Type.Array(Type.String()),
    seriesCover,
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

// These endpoints create, change and delete libraries.

const optional = <S extends TSchema>(schema: S) => Type.Optional(Nullable(schema))
const allOptional = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, optional(schema)])) as {
    [Name in keyof Fields]: ReturnType<typeof optional<Fields[Name]>>
  }

const choices = {
  ...allOptional(flags),
  scanInterval: optional(scanInterval),
  scanDirectoryExclusions: optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 99 })),
  seriesCover: optional(seriesCover),
  oneshotsDirectory: optional(Type.String({ maxLength: 4096 })),
}
const Name = Type.String({ minLength: 1, maxLength: 200 })
const Folder = Type.String({ minLength: 1, maxLength: 4096, description: 'An absolute path on the server.' })
const CompatLibraryChoices = Type.Object({ name: optional(Name), root: optional(Folder), ...choices })
/** Null says as little as nothing. */
export type CompatLibraryChoices = Static<typeof CompatLibraryChoices>

const newLibrary = {
  ...compat,
  access: 'libraries:write',
  errors: ['already_exists', 'conflict', 'library_unavailable'],
} as const

export const createCompatLibrary = endpoint('POST /{prefix}/api/v1/libraries', {
  ...newLibrary,
  summary: 'Make a library of a folder, and scan it',
  description: [
    'What another project does with libraries and Carrel does not is refused, unless its applications ask for it with',
    'every new library: the reply says what is.',
  ].join(' '),
  body: Type.Object({ ...choices, name: Name, root: Folder }, { title: 'CompatNewLibrary' }),
  reply: CompatLibrary,
  example: { body: { name: 'Manga', root: '/data/manga' }, reply: { ...exampleLibrary, root: '/data/manga' } },
})

const change = {
  ...newLibrary,
  description: 'What is absent stays. What has no meaning here may be sent as it is answered, and is refused else.',
  params: byCompatId,
  errors: [...newLibrary.errors, 'not_found'],
  example: { body: { name: 'Manga', scanInterval: 'DAILY' } },
} as const

export const changeCompatLibrary = endpoint('PATCH /{prefix}/api/v1/libraries/{id}', {
  ...change,
  summary: 'Change a library',
  body: Type.Object(CompatLibraryChoices.properties, { title: 'CompatLibraryChange' }),
})
export const replaceCompatLibrary = endpoint('PUT /{prefix}/api/v1/libraries/{id}', {
  ...change,
  summary: 'Change a library (the older address)',
  body: Type.Object(CompatLibraryChoices.properties, { title: 'CompatLibraryChange' }),
})
export const deleteCompatLibrary = endpoint('DELETE /{prefix}/api/v1/libraries/{id}', {
  ...compat,
  summary: 'Delete a library; what was read and said of it comes back with the same content',
  access: 'libraries:delete',
  params: byCompatId,
  errors: ['not_found'],
})

const CompatFolder = record(
  { type: OneOf(['directory', 'file']), name: Type.String(), path: Type.String() },
  { title: 'CompatFolder' },
)

export const browseCompatFileSystem = endpoint('POST /{prefix}/api/v1/filesystem', {
  ...compat,
  summary: 'List the folders in a folder of the server',
  description: 'Without a path: where one may begin. Files are not listed.',
  access: 'libraries:write',
  body: Type.Object(
    { path: optional(Type.String({ maxLength: 4096 })), showFiles: optional(Type.Boolean()) },
    { title: 'CompatFolderQuery' },
  ),
  bodyOptional: true,
  reply: record(
    {
      parent: Type.Optional(Type.String({ description: 'Empty: back to where one may begin.' })),
      directories: Type.Array(CompatFolder),
      files: Type.Array(CompatFolder),
    },
    { title: 'CompatFolderListing' },
  ),
  errors: ['library_unavailable', 'not_found'],
  example: {
    body: { path: '/data', showFiles: false },
    reply: {
      parent: '/',
      directories: [{ type: 'directory', name: 'manga', path: '/data/manga' }],
      files: [],
    },
  },
})
