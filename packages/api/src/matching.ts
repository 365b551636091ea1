import { type Static, Type } from 'typebox'
import { endpoint, listEndpoint } from './endpoint.ts'
import { fieldsOfBooks } from './fields/books.ts'
import { matchedNames } from './fields/lists.ts'
import { fieldsOfSeries } from './fields/series.ts'
import { EditableBookMetadata, EditableSeriesMetadata } from './metadata.ts'
import { byId, Count, Id, Json, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Matching'

// Fields that plugins may speak of

export const matchedSeriesFields = matchedNames(fieldsOfSeries)
export const matchedBookFields = matchedNames(fieldsOfBooks)
export const matchedFields = [...new Set([...matchedSeriesFields, ...matchedBookFields])]
export type MatchedField = (typeof matchedSeriesFields)[number] | (typeof matchedBookFields)[number]
const Field = OneOf(matchedFields)
export const Fields = Type.Array(Field, { maxItems: 60, uniqueItems: true })

const Entity = OneOf(['series', 'book'])
const ExternalId = Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]+$' })

// This part lists the plugins that can be asked.

const PluginAction = record(
  {
    actionType: OneOf(['metadata_search']),
    pluginId: Id,
    pluginName: Type.String(),
    pluginDisplayName: Type.String(),
    label: Type.String(),
    description: Nullable(Type.String()),
    searchUriTemplate: Nullable(Type.String()),
  },
  { title: 'PluginAction' },
)
export type PluginAction = Static<typeof PluginAction>

const scopes = ['series:detail', 'book:detail'] as const
export const listPluginActions = endpoint('GET /api/v1/plugins/actions', {
  tag,
  summary: 'Which plugins know metadata',
  description: 'Those that are on, have said what they can do, and may be asked about this library.',
  access: 'libraries:read',
  query: Type.Object({ scope: OneOf(scopes), libraryId: Type.Optional(Id) }),
  reply: record({ actions: Type.Array(PluginAction), scope: OneOf(scopes) }, { title: 'PluginActions' }),
  example: {
    reply: {
      scope: 'series:detail',
      actions: [
        {
          actionType: 'metadata_search',
          pluginId: '019aa3b2-6c7e-7000-8000-000000000090',
          pluginName: 'local-catalogue',
          pluginDisplayName: 'Local catalogue',
          label: 'Search Local catalogue',
          description: null,
          searchUriTemplate: null,
        },
      ],
    },
  },
})

// Searching

const coverProxyUrl = Nullable(
  Type.String({ description: 'The same picture, small, from this server: for an `img`. Good for an hour.' }),
)
export const MatchCandidate = record(
  {
    externalId: Type.String(),
    title: Type.String(),
    alternateTitles: Type.Array(Type.String()),
    year: Nullable(Type.Integer()),
    coverUrl: Nullable(Type.String()),
    coverProxyUrl,
    relevanceScore: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    refused: Type.Boolean({ description: 'Somebody has said that this is not it.' }),
    preview: Nullable(
      record({
        status: Nullable(Type.String()),
        genres: Type.Array(Type.String()),
        rating: Nullable(Type.Number()),
        description: Nullable(Type.String()),
        bookCount: Nullable(Type.Integer()),
        authors: Type.Array(Type.String()),
        format: Nullable(Type.String()),
      }),
    ),
  },
  { title: 'MatchCandidate' },
)
export type MatchCandidate = Static<typeof MatchCandidate>

const SearchBody = record(
  {
    pluginId: Id,
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'Absent: the title, as the plugin is set up to ask for it.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  },
  { title: 'MetadataSearchRequest' },
)
export type MetadataSearchRequest = Static<typeof SearchBody>

const FoundCandidates = record(
  {
    pluginId: Id,
    pluginName: Type.String(),
    query: Type.String({ description: 'What was asked for.' }),
    results: Type.Array(MatchCandidate),
    nextCursor: Nullable(Type.String()),
  },
  { title: 'MetadataSearchResponse' },
)
export type MetadataSearchResponse = Static<typeof FoundCandidates>

const BestMatch = record(
  {
    pluginId: Id,
    pluginName: Type.String(),
    match: Nullable(MatchCandidate),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    isCertain: Type.Boolean({ description: 'Sure enough to be applied by itself.' }),
    alternatives: Type.Array(MatchCandidate),
  },
  { title: 'MetadataMatchResponse' },
)
export type MetadataMatchResponse = Static<typeof BestMatch>

export const examplePlugin = { pluginId: '019aa3b2-6c7e-7000-8000-000000000090', pluginName: 'local-catalogue' }
export const exampleCandidate: MatchCandidate = {
  externalId: '30104',
  title: 'Yotsuba&!',
  alternateTitles: ['よつばと!'],
  year: 2003,
  coverUrl: 'https://img.example/30104.jpg',
  coverProxyUrl: '/media/found-covers?picture=WyJodHRwczovL2ltZy5leGFtcGxlLzMwMTA0LmpwZyJd.kq3u',
  relevanceScore: 0.97,
  refused: false,
  preview: null,
}
const exampleFound: MetadataSearchResponse = {
  ...examplePlugin,
  query: 'Yotsuba&!',
  results: [exampleCandidate],
  nextCursor: null,
}
const exampleBest: MetadataMatchResponse = {
  ...examplePlugin,
  match: exampleCandidate,
  confidence: 0.97,
  isCertain: true,
  alternatives: [],
}

const ofOne = { tag, params: byId, errors: ['not_found', 'conflict'] } as const
const ofSeries = { ...ofOne, access: 'series:write' } as const
const ofBook = { ...ofOne, access: 'books:write' } as const

const searching = {
  body: SearchBody,
  reply: FoundCandidates,
  example: { body: { pluginId: examplePlugin.pluginId }, reply: exampleFound },
} as const
export const searchSeriesMetadata = endpoint('POST /api/v1/series/{id}/metadata/search', {
  ...ofSeries,
  ...searching,
  summary: 'Ask a plugin what a series may be',
})
export const searchBookMetadata = endpoint('POST /api/v1/books/{id}/metadata/search', {
  ...ofBook,
  ...searching,
  summary: 'Ask a plugin what a book may be',
})

const matching = {
  body: record({ pluginId: Id }, { title: 'MetadataMatchRequest' }),
  reply: BestMatch,
  example: { body: { pluginId: examplePlugin.pluginId }, reply: exampleBest },
} as const
export const matchSeriesMetadata = endpoint('POST /api/v1/series/{id}/metadata/match', {
  ...ofSeries,
  ...matching,
  summary: 'Ask a plugin for the best match of a series',
})
export const matchBookMetadata = endpoint('POST /api/v1/books/{id}/metadata/match', {
  ...ofBook,
  ...matching,
  summary: 'Ask a plugin for the best match of a book',
})

// This part describes the preview of changes.

export const fieldStatuses = ['will_apply', 'locked', 'no_permission', 'unchanged', 'not_provided'] as const
export type FieldStatus = (typeof fieldStatuses)[number]

const FieldPreview = record(
  {
    field: Field,
    status: OneOf(fieldStatuses),
    currentValue: Json,
    proposedValue: Json,
    reason: Nullable(Type.String()),
  },
  { title: 'MetadataFieldPreview' },
)
export type MetadataFieldPreview = Static<typeof FieldPreview>

const Preview = record(
  {
    pluginId: Id,
    pluginName: Type.String(),
    externalId: Type.String(),
    externalUrl: Nullable(Type.String()),
    coverProxyUrl,
    fields: Type.Array(FieldPreview),
    summary: record({
      willApply: Count,
      locked: Count,
      noPermission: Count,
      unchanged: Count,
      notProvided: Count,
    }),
  },
  { title: 'MetadataPreviewResponse' },
)
export type MetadataPreviewResponse = Static<typeof Preview>

const previewing = {
  body: record({ pluginId: Id, externalId: ExternalId }, { title: 'MetadataPreviewRequest' }),
  reply: Preview,
  example: {
    body: { pluginId: examplePlugin.pluginId, externalId: '30104' },
    reply: {
      ...examplePlugin,
      externalId: '30104',
      externalUrl: 'https://catalogue.example/30104',
      coverProxyUrl: null,
      fields: [
        {
          field: 'publisher',
          status: 'will_apply',
          currentValue: null,
          proposedValue: 'ASCII Media Works',
          reason: null,
        },
        { field: 'title', status: 'locked', currentValue: 'Yotsuba', proposedValue: 'Yotsuba&!', reason: 'locked' },
      ],
      summary: { willApply: 1, locked: 1, noPermission: 0, unchanged: 0, notProvided: 16 },
    },
  },
} as const
const statusesInWords =
  '`will_apply`, or why not: it is `locked` (or people have said it themselves), the plugin has `no_permission` to write it, it is `unchanged`, or `not_provided`.'
export const previewSeriesMatch = endpoint('POST /api/v1/series/{id}/metadata/preview', {
  ...ofSeries,
  ...previewing,
  summary: 'What a match would change of a series',
  description: statusesInWords,
})
export const previewBookMatch = endpoint('POST /api/v1/books/{id}/metadata/preview', {
  ...ofBook,
  ...previewing,
  summary: 'What a match would change of a book',
  description: statusesInWords,
})

// Applying it

const ApplyBody = record(
  {
    pluginId: Id,
    externalId: ExternalId,
    fields: Type.Optional(
      Type.Array(Field, { maxItems: 60, uniqueItems: true, description: 'Only these; absent: all.' }),
    ),
    dryRun: Type.Optional(Type.Boolean({ default: false, description: 'Says what would become of it.' })),
  },
  { title: 'MetadataApplyRequest' },
)
export type MetadataApplyRequest = Static<typeof ApplyBody>

export const Skipped = record({ field: Field, reason: Type.String() }, { title: 'SkippedField' })
const Applied = record(
  {
    success: Type.Boolean(),
    message: Type.String(),
    appliedFields: Fields,
    skippedFields: Type.Array(Skipped),
    historyId: Nullable(
      Type.String({ format: 'uuid', description: 'What to undo. Null: nothing that is shown has changed.' }),
    ),
    dryRunReport: Nullable(
      record({ changes: Type.Array(record({ field: Field, before: Json, after: Json })) }, { title: 'DryRunReport' }),
    ),
  },
  { title: 'MetadataApplyResponse' },
)
export type MetadataApplyResponse = Static<typeof Applied>

const exampleApplied: MetadataApplyResponse = {
  success: true,
  message: '1 field was written.',
  appliedFields: ['publisher'],
  skippedFields: [{ field: 'title', reason: 'locked' }],
  historyId: '019aa3b2-6c7e-7000-8000-000000000050',
  dryRunReport: null,
}
const applying = {
  body: ApplyBody,
  reply: Applied,
  example: {
    body: { pluginId: examplePlugin.pluginId, externalId: '30104', fields: ['publisher', 'title'] },
    reply: exampleApplied,
  },
} as const
const applyingInWords =
  'The plugin speaks for itself, below people and locks, and what it says can be undone as any change. A cover follows in a moment.'
export const applySeriesMatch = endpoint('POST /api/v1/series/{id}/metadata/apply', {
  ...ofSeries,
  ...applying,
  guards: EditableSeriesMetadata,
  summary: 'Match a series',
  description: applyingInWords,
})
export const applyBookMatch = endpoint('POST /api/v1/books/{id}/metadata/apply', {
  ...ofBook,
  ...applying,
  guards: EditableBookMetadata,
  summary: 'Match a book',
  description: applyingInWords,
})

const byIdAndPlugin = Type.Object({
  id: Id,
  pluginName: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,99}$' }),
})
const unmatching =
  'What it said is gone, its cover too, and what others say is shown again. It is remembered that this is no match.'
export const unmatchSeries = endpoint('DELETE /api/v1/series/{id}/metadata/sources/plugin/{pluginName}', {
  ...ofSeries,
  params: byIdAndPlugin,
  guards: EditableSeriesMetadata,
  summary: 'Take back all that a plugin said of a series',
  description: unmatching,
})
export const unmatchBook = endpoint('DELETE /api/v1/books/{id}/metadata/sources/plugin/{pluginName}', {
  ...ofBook,
  params: byIdAndPlugin,
  guards: EditableBookMetadata,
  summary: 'Take back all that a plugin said of a book',
  description: unmatching,
})

// This part describes matching that runs by itself.

export const matchStates = ['matched', 'uncertain', 'nothing', 'refused'] as const
export type MatchState = (typeof matchStates)[number]

const MetadataMatch = record(
  {
    id: Id,
    pluginId: Id,
    pluginName: Type.String(),
    entity: Entity,
    entityId: Id,
    title: Type.String(),
    libraryId: Id,
    state: OneOf(matchStates),
    externalId: Nullable(Type.String()),
    confidence: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    candidates: Type.Array(MatchCandidate),
    at: Timestamp,
  },
  { title: 'MetadataMatch' },
)
export type MetadataMatch = Static<typeof MetadataMatch>

export const exampleMatch: MetadataMatch = {
  ...examplePlugin,
  id: '019aa3b2-6c7e-7000-8000-0000000000a0',
  entity: 'series',
  entityId: '019aa3b2-6c7e-7000-8000-000000000030',
  title: 'Yotsuba',
  libraryId: '019aa3b2-6c7e-7000-8000-000000000020',
  state: 'uncertain',
  externalId: null,
  confidence: 0.55,
  candidates: [exampleCandidate],
  at: '2026-11-21T10:00:00.000Z',
}

export const listMetadataMatches = listEndpoint('GET /api/v1/metadata/matches', {
  tag,
  summary: 'What plugins have matched, the newest first',
  description: '`uncertain` are those that wait for somebody to look at them.',
  access: 'series:write',
  query: Type.Object({
    entity: Type.Optional(OneOf(['series', 'book'], { default: 'series' })),
    state: Type.Optional(OneOf(matchStates, { default: 'uncertain' })),
    libraryId: Type.Optional(Id),
    pluginId: Type.Optional(Id),
  }),
  item: MetadataMatch,
  title: 'MetadataMatches',
})

const ofMatch = { tag, params: byId, errors: ['not_found', 'conflict'], access: 'series:write' } as const
export const acceptMetadataMatch = endpoint('POST /api/v1/metadata/matches/{id}/accept', {
  ...ofMatch,
  summary: 'This is it: apply it',
  body: record(
    { externalId: ExternalId, fields: Type.Optional(Fields) },
    { title: 'AcceptMetadataMatch', description: 'One of the candidates, or another one the plugin knows.' },
  ),
  reply: Applied,
  example: { body: { externalId: '30104' }, reply: exampleApplied },
})
export const refuseMetadataMatch = endpoint('POST /api/v1/metadata/matches/{id}/refuse', {
  ...ofMatch,
  summary: 'This is not it, and is not to be asked again',
  description: 'One of the candidates, or all of them. What was applied of it is taken back.',
  body: record({ externalId: Type.Optional(ExternalId) }, { title: 'RefuseMetadataMatch' }),
  bodyOptional: true,
  reply: MetadataMatch,
  example: { body: {}, reply: { ...exampleMatch, state: 'refused', candidates: [] } },
})

export const autoMatchLibrary = endpoint('POST /api/v1/libraries/{id}/metadata/auto-match', {
  tag,
  params: byId,
  summary: 'Match what a plugin has not looked at yet in a library',
  description: 'What it is certain of is applied; the rest waits to be looked at.',
  access: 'libraries:write',
  status: 202,
  errors: ['not_found', 'conflict'],
  body: record(
    {
      pluginId: Id,
      entity: Type.Optional(OneOf(['series', 'book'], { description: 'Absent: what the plugin knows of the two.' })),
      again: Type.Optional(Type.Boolean({ default: false, description: 'Also what it found nothing for.' })),
    },
    { title: 'AutoMatchLibrary' },
  ),
  reply: record({ taskId: Id, alreadyRunning: Type.Boolean() }, { title: 'AutoMatchStarted' }),
  example: {
    body: { pluginId: examplePlugin.pluginId },
    reply: { taskId: '019aa3b2-6c7e-7000-8000-000000000070', alreadyRunning: false },
  },
})
