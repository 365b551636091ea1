import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { exampleCandidate, examplePlugin, Fields, MatchCandidate, Skipped } from './matching.ts'
import { byId, Id, Nullable, OneOf, record } from './schema.ts'

const tag = 'Matching'
const ofOne = { tag, params: byId, errors: ['not_found', 'conflict'] } as const

// One at once

const AutoMatched = record(
  {
    success: Type.Boolean({ description: 'It was matched.' }),
    message: Type.String(),
    state: OneOf(['matched', 'uncertain', 'nothing'], {
      description: '`uncertain`: it waits in the queue, unless somebody has decided before.',
    }),
    matchedResult: Nullable(MatchCandidate),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    externalUrl: Nullable(Type.String()),
    appliedFields: Fields,
    skippedFields: Type.Array(Skipped),
    historyId: Nullable(Id),
  },
  { title: 'MetadataAutoMatchResponse' },
)
export type AutoMatched = Static<typeof AutoMatched>

const autoMatching = {
  ...ofOne,
  body: record(
    { pluginId: Id, query: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })) },
    { title: 'MetadataAutoMatchRequest' },
  ),
  reply: AutoMatched,
  description: 'Applied if the plugin is sure enough; else it waits in the queue.',
  example: {
    body: { pluginId: examplePlugin.pluginId },
    reply: {
      success: true,
      message: '1 field written.',
      state: 'matched',
      matchedResult: exampleCandidate,
      confidence: 0.97,
      externalUrl: 'https://catalogue.example/30104',
      appliedFields: ['publisher'],
      skippedFields: [{ field: 'title', reason: 'locked' }],
      historyId: '019aa3b2-6c7e-7000-8000-000000000050',
    },
  },
} as const
export const autoMatchSeries = endpoint('POST /api/v1/series/{id}/metadata/auto-match', {
  ...autoMatching,
  summary: 'Match a series with what a plugin is sure of',
  access: 'series:write',
})
export const autoMatchBook = endpoint('POST /api/v1/books/{id}/metadata/auto-match', {
  ...autoMatching,
  summary: 'Match a book with what a plugin is sure of',
  access: 'books:write',
})

// Some, in the background

export const autoMatchManySeries = endpoint('POST /api/v1/series/metadata/auto-match/task/bulk', {
  tag,
  summary: 'Match some series in the background',
  description:
    'Those that wait in the queue are asked about again; those that are matched or refused are left as they are.',
  access: 'series:write',
  status: 202,
  errors: ['not_found', 'conflict'],
  body: record(
    { pluginId: Id, seriesIds: Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true }) },
    { title: 'EnqueueBulkAutoMatchRequest' },
  ),
  reply: record(
    {
      success: Type.Boolean(),
      message: Type.String(),
      tasksEnqueued: Type.Integer({ minimum: 0 }),
      taskIds: Type.Array(Id, { description: 'One for each library.' }),
    },
    { title: 'EnqueueAutoMatchResponse' },
  ),
  example: {
    body: { pluginId: examplePlugin.pluginId, seriesIds: ['019aa3b2-6c7e-7000-8000-000000000030'] },
    reply: {
      success: true,
      message: '1 series will be asked about.',
      tasksEnqueued: 1,
      taskIds: ['019aa3b2-6c7e-7000-8000-000000000070'],
    },
  },
})

// This part says what a plugin is asked for.

const searchTitle = {
  ...ofOne,
  query: Type.Object({ pluginId: Id }),
  reply: record(
    {
      originalTitle: Type.String(),
      searchTitle: Type.String(),
      rulesApplied: Type.Integer({ minimum: 0, description: 'How many rules have changed it.' }),
    },
    { title: 'SearchTitleResponse' },
  ),
  example: {
    reply: { originalTitle: 'Yotsuba&! (Digital)', searchTitle: 'Yotsuba&!', rulesApplied: 1 },
  },
} as const
export const readSeriesSearchTitle = endpoint('GET /api/v1/series/{id}/metadata/search-title', {
  ...searchTitle,
  summary: 'What a plugin is asked for about a series',
  access: 'series:write',
})
export const readBookSearchTitle = endpoint('GET /api/v1/books/{id}/metadata/search-title', {
  ...searchTitle,
  summary: 'What a plugin is asked for about a book',
  access: 'books:write',
})

// This part lists links where people can look further.

const WebLinkProvider = record(
  {
    pluginName: Type.String(),
    displayName: Type.String(),
    searchUrlTemplate: Nullable(Type.String({ description: 'With `{title}`, to be percent-encoded.' })),
    seriesLinks: Type.Array(
      record({
        source: Type.String({ description: 'Of the external id it is for; the first that a series has counts.' }),
        urlTemplate: Type.String({ description: 'With `{externalId}`, to be percent-encoded.' }),
      }),
    ),
  },
  { title: 'WebLinkProvider' },
)
export type WebLinkProvider = Static<typeof WebLinkProvider>

export const listWebLinks = endpoint('GET /api/v1/plugins/web-links', {
  tag,
  summary: 'Where plugins lead on the web',
  description: 'Of those that are on. What they are configured with is filled in already.',
  access: 'series:read',
  query: Type.Object({ libraryId: Type.Optional(Id) }),
  reply: record({ providers: Type.Array(WebLinkProvider) }, { title: 'WebLinks' }),
  example: {
    reply: {
      providers: [
        {
          pluginName: 'local-catalogue',
          displayName: 'Local catalogue',
          searchUrlTemplate: 'https://catalogue.example/?q={title}',
          seriesLinks: [{ source: 'catalogue', urlTemplate: 'https://catalogue.example/{externalId}' }],
        },
      ],
    },
  },
})
