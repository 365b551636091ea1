import { type Static, Type } from 'typebox'
import { endpoint, listEndpoint } from './endpoint.ts'
import { TaskProgress } from './events.ts'
import { Grouping } from './libraries.ts'
import { byId, Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Imports'

export const importKinds = ['komga', 'kavita', 'codex', 'stump', 'lanraragi', 'calibre', 'mihon'] as const
export type ImportKind = (typeof importKinds)[number]
export const importStates = ['reading', 'ready', 'applying', 'applied', 'undoing', 'undone', 'failed'] as const
export type ImportState = (typeof importStates)[number]

/** What can be taken over, each by itself. */
export const importParts = [
  'users',
  'progress',
  'lists',
  'ratings',
  'metadata',
  'covers',
  'wants',
  'bookmarks',
] as const
export type ImportPart = (typeof importParts)[number]

export const importFaults = [
  'not_found',
  'wrong_kind',
  'damaged',
  'locked',
  'unknown_version',
  'too_large',
  'unreachable',
  'refused',
] as const

const Path = Type.String({ minLength: 1, maxLength: 4096 })

const Source = record(
  {
    path: Type.Optional({
      ...Path,
      description: 'A file on the server, or a folder with the files of the other server.',
    }),
    uploadId: Type.Optional(Id),
    url: Type.Optional(Type.String({ maxLength: 2000, description: 'The address of a running server.' })),
    apiKey: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'For `url`.' })),
  },
  { title: 'ImportSource', description: 'Exactly one of `path`, `uploadId` and `url`.' },
)

const LibraryChoice = record({
  theirs: Type.String({ maxLength: 4000, description: 'The id of one of their libraries, or its name.' }),
  ours: Type.Optional(Nullable(Id)),
  path: Type.Optional({ ...Path, description: 'A library is made of this folder when the import is applied.' }),
})

export const importLibrariesMax = 1000

export const NewImport = record(
  {
    kind: OneOf(importKinds),
    source: Source,
    libraries: Type.Optional(
      Type.Array(LibraryChoice, {
        maxItems: importLibrariesMax,
        description:
          'Which of theirs is which of ours; `ours` null: none. What is not named is proposed from paths and names.',
      }),
    ),
  },
  { title: 'NewImport' },
)
export type NewImport = Static<typeof NewImport>

const isTaken = Type.Optional(Type.Boolean())

export const ImportChoice = record(
  {
    users: isTaken,
    progress: isTaken,
    lists: isTaken,
    ratings: isTaken,
    metadata: isTaken,
    covers: isTaken,
    wants: isTaken,
    bookmarks: isTaken,
    privateLists: Type.Optional(
      Type.Boolean({
        description: 'Lists that only their owner sees there. Here everybody sees them.',
      }),
    ),
  } satisfies Record<ImportPart | 'privateLists', unknown>,
  { title: 'ImportChoice', description: 'What is not named is taken, but for `privateLists`.' },
)
export type ImportChoice = Static<typeof ImportChoice>

const LibraryMatch = record(
  {
    theirs: Type.String(),
    name: Type.String(),
    roots: Type.Array(Type.String()),
    books: Count,
    ours: Nullable(Id),
    path: Nullable(Type.String()),
    by: OneOf(['you', 'path', 'name', 'none'], { description: 'Who has said so, or what it is proposed from.' }),
    grouping: Nullable(Grouping),
  },
  { title: 'ImportLibrary' },
)

const UserMatch = record(
  {
    theirs: Type.String(),
    name: Type.String(),
    email: Nullable(Type.String()),
    role: OneOf(['reader', 'editor', 'admin']),
    ours: Nullable(Id),
    by: OneOf(['email', 'name', 'you', 'import', 'none']),
    states: { ...Count, description: 'States and times of reading that are theirs.' },
  },
  { title: 'ImportUser' },
)

export const unmatchedReasons = ['no_library', 'no_book', 'several_books', 'library_to_come'] as const

const Unmatched = record(
  {
    theirs: Type.String(),
    series: Nullable(Type.String()),
    number: Nullable(Type.String()),
    title: Nullable(Type.String()),
    path: Nullable(Type.String()),
    reason: OneOf(unmatchedReasons),
    readers: { ...Count, description: 'So many have read in it.' },
  },
  { title: 'UnmatchedBook' },
)

export const importConflicts = ['list_exists', 'library_unknown', 'several_for_one', 'fewer_pages'] as const

const Conflict = record(
  {
    kind: OneOf(importConflicts),
    what: Type.String({ description: 'What it is about, by its name.' }),
    count: Count,
  },
  { title: 'ImportConflict' },
)

const PassedOver = record(
  {
    what: Type.String(),
    reason: OneOf([
      'not_in_store',
      'no_such_thing',
      'secret',
      'not_a_persons_word',
      'invalid',
      'too_much',
      'unreadable',
      'not_matched',
      'not_yet',
    ]),
    count: Nullable(Count),
    examples: Type.Array(Type.String()),
  },
  { title: 'PassedOver' },
)

export const importUnmatchedMax = 500

/** By the names of what is found: `users`, `books`, `progress`. */
const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }))

export const ImportDto = record(
  {
    id: Id,
    kind: OneOf(importKinds),
    state: OneOf(importStates),
    taskId: Nullable(Id),
    source: record({
      path: Nullable(Type.String()),
      uploadId: Nullable(Id),
      url: Nullable(Type.String()),
    }),
    version: Nullable(Type.String({ description: 'Of the other server, or of its schema.' })),
    fault: Nullable(
      record(
        { code: OneOf([...importFaults, 'failed', 'cancelled']), message: Type.String() },
        { title: 'ImportFault' },
      ),
    ),
    progress: Nullable(TaskProgress),
    choose: Nullable(ImportChoice),
    libraries: Type.Array(LibraryMatch),
    users: Type.Array(UserMatch),
    found: Counts,
    matched: record({ byHash: Count, byPath: Count, byName: Count }),
    unmatched: Type.Array(Unmatched, { maxItems: importUnmatchedMax }),
    unmatchedCount: Count,
    wouldCreate: { ...Counts, description: 'If all of it is taken but private lists, which `privateLists` counts.' },
    privateLists: {
      ...Count,
      description: 'Lists that only their owner sees there.',
    },
    conflicts: Type.Array(Conflict),
    passedOver: Type.Array(PassedOver),
    taken: { ...Counts, description: 'What has been taken over so far.' },
    createdAt: Timestamp,
    readyAt: Nullable(Timestamp),
    appliedAt: Nullable(Timestamp),
    undoneAt: Nullable(Timestamp),
  },
  { title: 'Import' },
)
export type ImportDto = Static<typeof ImportDto>

const exampleImportId = '019aa3b2-6c7e-7000-8000-000000000051'
const exampleLibraryId = '019aa3b2-6c7e-7000-8000-000000000020'
const exampleImport: ImportDto = {
  id: exampleImportId,
  kind: 'komga',
  state: 'ready',
  taskId: '019aa3b2-6c7e-7000-8000-000000000008',
  source: { path: '/imports/komga/database.sqlite', uploadId: null, url: null },
  version: '20260225161438',
  fault: null,
  progress: null,
  choose: null,
  libraries: [
    {
      theirs: '0B58MQ800JG01',
      name: 'Comics',
      roots: ['/media/comics'],
      books: 412,
      ours: exampleLibraryId,
      path: null,
      by: 'path',
      grouping: { policy: 'folder', config: {} },
    },
  ],
  users: [
    {
      theirs: '0B58MQ800JG05',
      name: 'jonas',
      email: 'jonas@household.example',
      role: 'reader',
      ours: null,
      by: 'none',
      states: 31,
    },
  ],
  found: { libraries: 1, users: 1, series: 37, books: 412, progress: 31 },
  matched: { byHash: 398, byPath: 9, byName: 4 },
  unmatched: [
    {
      theirs: '0B58MQ800JG0V',
      series: 'Iron Garden',
      number: '7',
      title: 'Iron Garden 7',
      path: 'Iron Garden/Iron Garden 007.cbz',
      reason: 'no_book',
      readers: 1,
    },
  ],
  unmatchedCount: 1,
  wouldCreate: { libraries: 0, users: 1, progress: 30, collections: 2, readLists: 1 },
  privateLists: 1,
  conflicts: [{ kind: 'fewer_pages', what: 'The Lantern Coast 6', count: 1 }],
  passedOver: [{ what: 'API keys', reason: 'secret', count: 1, examples: [] }],
  taken: {},
  createdAt: '2026-11-21T10:00:00.000Z',
  readyAt: '2026-11-21T10:00:09.000Z',
  appliedAt: null,
  undoneAt: null,
}
const started = {
  status: 202,
  reply: record({ importId: Id, taskId: Id }, { title: 'StartedImport' }),
  example: { reply: { importId: exampleImportId, taskId: '019aa3b2-6c7e-7000-8000-000000000008' } },
} as const

export const startImport = endpoint('POST /api/v1/imports', {
  summary: 'Read what another server holds',
  description: [
    'Nothing is changed by it: a worker reads the store, finds which of its books are which of ours, and what can be taken over',
    'stands in the report (`GET /api/v1/imports/{id}`), until it is applied. Asking again, with other `libraries`, reads it again.',
  ].join(' '),
  tag,
  access: 'system:admin',
  body: NewImport,
  errors: ['conflict', 'not_found'],
  ...started,
  example: {
    body: {
      kind: 'komga',
      source: { path: '/imports/komga/database.sqlite' },
      libraries: [{ theirs: 'Comics', ours: exampleLibraryId }],
    },
    ...started.example,
  },
})

export const listImports = listEndpoint('GET /api/v1/imports', {
  summary: 'What has been read from other servers, the newest first',
  tag,
  access: 'system:admin',
  item: ImportDto,
  title: 'ImportPage',
})

export const readImport = endpoint('GET /api/v1/imports/{id}', {
  summary: 'An import, with its report',
  tag,
  access: 'system:admin',
  params: byId,
  reply: ImportDto,
  errors: ['not_found'],
  example: { reply: exampleImport },
})

export const applyImport = endpoint('POST /api/v1/imports/{id}/apply', {
  summary: 'Take over what has been read',
  description: [
    'In the background, a little at a time. What people have said here stays; what is here already is not doubled. It goes on',
    'where it was when the server is stopped, and can be taken back.',
  ].join(' '),
  tag,
  access: 'system:admin',
  keys: 'refused',
  params: byId,
  body: record({ choose: Type.Optional(ImportChoice) }, { title: 'ApplyImport' }),
  bodyOptional: true,
  errors: ['not_found', 'conflict'],
  ...started,
  example: { body: { choose: { covers: false } }, ...started.example },
})

export const undoImport = endpoint('POST /api/v1/imports/{id}/undo', {
  summary: 'Take back what an import has brought',
  description: 'All but what people have done with it since.',
  tag,
  access: 'system:admin',
  keys: 'refused',
  params: byId,
  errors: ['not_found', 'conflict'],
  ...started,
})

export const removeImport = endpoint('DELETE /api/v1/imports/{id}', {
  summary: 'Forget what has been read, and the report',
  description: 'What was taken over stays, and cannot be taken back any more.',
  tag,
  access: 'system:admin',
  params: byId,
  errors: ['not_found', 'conflict'],
})

// Uploads

export const uploadPartBytesMax = 8 * 1024 * 1024
export const uploadBytesMax = 8 * 1024 ** 3

export const ImportUpload = record(
  {
    id: Id,
    name: Type.String(),
    size: Type.Integer({ minimum: 1, maximum: uploadBytesMax }),
    received: Type.Integer({ minimum: 0, description: 'So many bytes are here: the next part begins there.' }),
    createdAt: Timestamp,
  },
  { title: 'ImportUpload' },
)
export type ImportUpload = Static<typeof ImportUpload>
const exampleUpload = {
  id: '019aa3b2-6c7e-7000-8000-000000000052',
  name: 'database.sqlite',
  size: 786_432,
  received: 0,
  createdAt: '2026-11-21T10:00:00.000Z',
}

export const startUpload = endpoint('POST /api/v1/imports/uploads', {
  summary: 'Begin to send a store of another server',
  description: 'It is sent in parts, and removed a day after its last part came.',
  tag,
  access: 'system:admin',
  body: record(
    {
      name: Type.String({ minLength: 1, maxLength: 200 }),
      size: Type.Integer({ minimum: 1, maximum: uploadBytesMax }),
    },
    { title: 'NewImportUpload' },
  ),
  status: 201,
  reply: ImportUpload,
  errors: ['conflict'],
  example: { body: { name: 'database.sqlite', size: 786_432 }, reply: exampleUpload },
})

export const readUpload = endpoint('GET /api/v1/imports/uploads/{id}', {
  summary: 'How much of an upload has come',
  tag,
  access: 'system:admin',
  params: byId,
  reply: ImportUpload,
  errors: ['not_found'],
  example: { reply: exampleUpload },
})

export const continueUpload = endpoint('PUT /api/v1/imports/uploads/{id}', {
  summary: 'Send the next part',
  description: 'One that begins elsewhere than where the last one has ended is refused: read how much has come.',
  tag,
  access: 'system:admin',
  params: byId,
  query: Type.Object({ offset: Type.Integer({ minimum: 0, maximum: uploadBytesMax }) }),
  upload: { description: 'Up to 8 MiB of the file, from `offset` on.' },
  bodyBytesMax: uploadPartBytesMax,
  reply: ImportUpload,
  errors: ['not_found', 'conflict'],
  example: { reply: { ...exampleUpload, received: 786_432 } },
})

export const removeUpload = endpoint('DELETE /api/v1/imports/uploads/{id}', {
  summary: 'Remove an upload',
  tag,
  access: 'system:admin',
  params: byId,
  errors: ['not_found'],
})
