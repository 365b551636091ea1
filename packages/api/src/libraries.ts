import { type Static, Type } from 'typebox'
import { coverFields } from './cover-fields.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { fileFormats } from './file-formats.ts'
import { byId, Count, Id, Nullable, OneOf, record, sortBy, Timestamp } from './schema.ts'

const tag = 'Libraries'

export const groupingPolicies = [
  'folder',
  'top_folder',
  'volume_folders',
  'publisher_folders',
  'flat',
  'calibre',
  'metadata',
  'custom',
] as const
export const folderLevels = ['publisher', 'imprint', 'author', 'series', 'volume', 'skip'] as const
export const numberings = ['file_order', 'metadata', 'filename', 'smart'] as const
export const titleSources = ['filename', 'metadata', 'smart'] as const
export const readingDirections = ['ltr', 'rtl', 'ttb', 'webtoon'] as const
export const ReadingDirection = OneOf(readingDirections)

const Policy = OneOf(groupingPolicies, { description: 'How files become series.' })
const GroupingConfig = record(
  {
    levels: Type.Optional(
      Type.Array(OneOf(folderLevels), {
        minItems: 1,
        maxItems: 10,
        description:
          'For `publisher_folders` only: what each level of folders is, from the root down, `series` once and each other one at most once, but `skip`. Absent: publisher, series.',
      }),
    ),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'For `custom`, which needs it: a regular expression in the syntax of RE2 over the path below the root, with the groups `series`, `volume`, `number`, `chapter`, `title`, `year`, `publisher`, `author`, `language`.',
      }),
    ),
  },
  { title: 'GroupingConfig', description: 'Empty for all policies but `publisher_folders` and `custom`.' },
)
export const Grouping = record({ policy: Policy, config: GroupingConfig }, { title: 'Grouping' })
export type Grouping = Static<typeof Grouping>
const GroupingInput = record({ policy: Type.Optional(Policy), config: Type.Optional(GroupingConfig) })

const Cron = Type.String({ maxLength: 100, description: 'Five fields, such as 0 4 * * *.' })
const TimeZone = Type.String({ maxLength: 64, description: 'Such as Europe/Berlin.' })
const Schedule = record({ cron: Cron, timeZone: TimeZone }, { title: 'ScanSchedule' })
const ScheduleInput = record({ cron: Cron, timeZone: Type.Optional(TimeZone) })

const Name = Type.String({ minLength: 1, maxLength: 200 })
const Description = Nullable(Type.String({ maxLength: 2000 }))
const Folder = Type.String({ minLength: 1, maxLength: 4096, description: 'An absolute path on the server.' })
const Roots = Type.Array(Folder, { minItems: 1, maxItems: 20 })
const Formats = Nullable(
  Type.Array(OneOf(fileFormats), {
    minItems: 1,
    maxItems: fileFormats.length,
    uniqueItems: true,
    description: 'What counts as a book here; null for everything.',
  }),
)
const Exclude = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 100,
  description:
    'Patterns of what a scan passes over: `*`, `?`, `**` and `[…]`; one without a slash counts at any depth.',
})
const Numbering = OneOf(numberings, { description: 'Where the number of a book comes from.' })
const TitleFrom = OneOf(titleSources, { description: 'Where the title of a book comes from.' })

/** Where what is said of its books is written out. */
export const sidecarTargets = ['none', 'data', 'beside'] as const
export type SidecarTarget = (typeof sidecarTargets)[number]
const Sidecars = OneOf(sidecarTargets, {
  description:
    'Where a file for each book and series says what is said of it: nowhere, in the data folder, or beside the books, where the setting `sidecars.beside_allowed` allows that.',
})

export const LibraryDto = record(
  {
    id: Id,
    name: Type.String(),
    description: Nullable(Type.String()),
    path: Type.Optional(Type.String({ description: 'The first root. Only for those who manage libraries.' })),
    roots: Type.Optional(
      Type.Array(Type.String(), { description: 'Folders on the server. Only for those who manage libraries.' }),
    ),
    grouping: Grouping,
    numbering: Numbering,
    titleFrom: TitleFrom,
    formats: Formats,
    exclude: Exclude,
    readingDirection: ReadingDirection,
    schedule: Nullable(Schedule),
    watch: Type.Boolean(),
    listsFromFiles: Type.Boolean({ description: 'Read lists and collections are made of what its files name.' }),
    sidecars: Sidecars,
    status: OneOf(['available', 'unavailable']),
    bookCount: Count,
    seriesCount: Count,
    lastScannedAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Library' },
)
export type LibraryDto = Static<typeof LibraryDto>
const editable = Type.Omit(LibraryDto, ['status', 'bookCount', 'seriesCount', 'lastScannedAt', 'updatedAt'])

const choices = {
  sidecars: Type.Optional(Sidecars),
  description: Type.Optional(Description),
  path: Type.Optional({ ...Folder, description: 'Instead of `roots`, when there is one.' }),
  roots: Type.Optional(Roots),
  grouping: Type.Optional(GroupingInput),
  numbering: Type.Optional(Numbering),
  titleFrom: Type.Optional(TitleFrom),
  formats: Type.Optional(Formats),
  exclude: Type.Optional(Exclude),
  readingDirection: Type.Optional(ReadingDirection),
  schedule: Type.Optional(Nullable(ScheduleInput)),
  watch: Type.Optional(Type.Boolean()),
  listsFromFiles: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Of each story arc with numbers that its files name a read list is made, of each series group a collection, for all readers, each of whom finds in it what they may see. They follow the files until somebody changes them.',
    }),
  ),
}

const NewLibrary = record(
  { name: Name, ...choices, scanNow: Type.Optional(Type.Boolean({ default: true })) },
  { title: 'NewLibrary' },
)
export type NewLibrary = Static<typeof NewLibrary>

const LibraryPatch = record(
  {
    name: Type.Optional(Name),
    ...choices,
    confirmPreview: Type.Optional({ ...Id, description: 'The preview that showed what another grouping would move.' }),
  },
  { title: 'LibraryPatch' },
)
export type LibraryPatch = Static<typeof LibraryPatch>

const shaping = { grouping: choices.grouping, formats: choices.formats, exclude: choices.exclude }

/** It describes a library that might be created; only what affects its grouping counts. */
export const LibraryToPreview = record(
  { name: Type.Optional(Name), ...choices, scanNow: Type.Optional(Type.Boolean()) },
  { title: 'LibraryToPreview' },
)

/** These choices might change in an existing library. */
export const ChoicesToPreview = record(shaping, { title: 'ChoicesToPreview' })

export const exampleLibrary: LibraryDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000020',
  name: 'Manga',
  description: null,
  path: '/data/manga',
  roots: ['/data/manga'],
  grouping: { policy: 'folder', config: {} },
  numbering: 'smart',
  titleFrom: 'smart',
  formats: null,
  exclude: ['**/.*'],
  readingDirection: 'rtl',
  schedule: { cron: '0 4 * * *', timeZone: 'Europe/Berlin' },
  watch: true,
  listsFromFiles: false,
  sidecars: 'none',
  status: 'available',
  bookCount: 1200,
  seriesCount: 80,
  lastScannedAt: '2026-11-21T04:00:12.000Z',
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}

export const listLibraries = listEndpoint('GET /api/v1/libraries', {
  summary: 'List the libraries you may see',
  tag,
  access: 'libraries:read',
  query: Type.Object({ sort: sortBy(['name', 'createdAt']) }),
  item: LibraryDto,
  title: 'LibraryPage',
})

const LibraryCover = record(
  {
    seriesId: Id,
    ...coverFields,
  },
  { title: 'LibraryCover' },
)
export type LibraryCover = Static<typeof LibraryCover>

const LibraryAtAGlance = record(
  {
    id: Id,
    name: Type.String(),
    status: OneOf(['available', 'unavailable']),
    seriesCount: Count,
    bookCount: Count,
    unreadCount: Count,
    covers: Type.Array(LibraryCover, { description: 'Of its first series by name, at most four.' }),
  },
  { title: 'LibraryAtAGlance' },
)
export type LibraryAtAGlance = Static<typeof LibraryAtAGlance>

const LibrariesAtAGlance = record({ libraries: Type.Array(LibraryAtAGlance) }, { title: 'LibrariesAtAGlance' })

export const glanceAtLibraries = endpoint('GET /api/v1/libraries/at-a-glance', {
  summary: 'What a navigation shows of the libraries you may see',
  description: 'By name: how much is in each, how much of it you have not read, and a few of its covers.',
  tag,
  access: 'libraries:read',
  reply: LibrariesAtAGlance,
  example: {
    reply: {
      libraries: [
        {
          id: exampleLibrary.id,
          name: exampleLibrary.name,
          status: 'available',
          seriesCount: 80,
          bookCount: 1200,
          unreadCount: 41,
          covers: [
            {
              seriesId: '019aa3b2-6c7e-7000-8000-000000000030',
              coverVersion: '0-1-90ab12cd',
              placeholder: null,
              tone: null,
            },
          ],
        },
      ],
    },
  },
})

export const createLibrary = endpoint('POST /api/v1/libraries', {
  summary: 'Create a library',
  description: 'Its folders are only ever read. They are looked through at once, unless `scanNow` is false.',
  tag,
  access: 'libraries:write',
  body: NewLibrary,
  reply: LibraryDto,
  editable,
  status: 201,
  errors: ['already_exists', 'conflict', 'library_unavailable'],
  example: {
    body: { name: 'Manga', roots: ['/data/manga'], schedule: exampleLibrary.schedule },
    reply: exampleLibrary,
  },
})

export const readLibrary = endpoint('GET /api/v1/libraries/{id}', {
  summary: 'Read one library',
  tag,
  access: 'libraries:read',
  params: byId,
  reply: LibraryDto,
  editable,
  errors: ['not_found'],
  example: { reply: exampleLibrary },
})

export const updateLibrary = endpoint('PATCH /api/v1/libraries/{id}', {
  summary: 'Change a library',
  description: [
    'What is absent stays, null clears. Roots are matched by their place in the list: a root with another path is the',
    'same root somewhere else. Another grouping needs the preview that showed what it would move.',
  ].join(' '),
  tag,
  access: 'libraries:write',
  params: byId,
  body: LibraryPatch,
  guards: editable,
  reply: LibraryDto,
  editable,
  errors: ['not_found', 'already_exists', 'conflict', 'library_unavailable'],
  example: { body: { watch: false, schedule: exampleLibrary.schedule }, reply: { ...exampleLibrary, watch: false } },
})

export const deleteLibrary = endpoint('DELETE /api/v1/libraries/{id}', {
  summary: 'Delete a library',
  description: [
    'Its files stay as they are. What was read, rated and written stays too, out of sight, and comes back with the',
    'same content; `purge` forgets it for ever, which only administrators may.',
  ].join(' '),
  tag,
  access: 'libraries:delete',
  params: byId,
  query: Type.Object({ purge: Type.Optional(Type.Boolean({ default: false })) }),
  guards: editable,
  errors: ['not_found'],
})

const FileSystemEntry = record(
  {
    name: Type.String(),
    path: Type.String(),
    isDirectory: Type.Boolean({ description: 'Of a link: whether it leads to a folder one may look into.' }),
    isReadable: Type.Boolean(),
    isLink: Type.Boolean(),
  },
  { title: 'FileSystemEntry' },
)
export type FileSystemEntry = Static<typeof FileSystemEntry>

const Browsed = record(
  {
    currentPath: Type.String(),
    parentPath: Nullable(Type.String()),
    entries: Type.Array(FileSystemEntry),
    truncated: Type.Boolean({ description: 'There are more than these 5,000.' }),
  },
  { title: 'BrowsedFolder' },
)
export type Browsed = Static<typeof Browsed>

const exampleEntry: FileSystemEntry = {
  name: 'manga',
  path: '/data/manga',
  isDirectory: true,
  isReadable: true,
  isLink: false,
}

export const browseFileSystem = endpoint('GET /api/v1/filesystem/browse', {
  summary: 'List the folders in a folder of the server',
  description: 'To choose the roots of a library. Only below `CARREL_LIBRARY_ROOTS` where that is set.',
  tag,
  access: 'libraries:write',
  query: Type.Object({
    path: Type.Optional(Type.String({ maxLength: 4096, description: 'Absolute; absent: where one may begin.' })),
  }),
  reply: Browsed,
  errors: ['library_unavailable', 'not_found'],
  example: { reply: { currentPath: '/data', parentPath: '/', entries: [exampleEntry], truncated: false } },
})

export const listDrives = endpoint('GET /api/v1/filesystem/drives', {
  summary: 'Where one may begin to look for folders',
  tag,
  access: 'libraries:write',
  reply: Type.Array(FileSystemEntry),
  errors: ['library_unavailable'],
  example: { reply: [exampleEntry] },
})
