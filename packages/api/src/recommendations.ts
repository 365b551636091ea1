import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Float, Id, Int32, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Recommendations'

/** The limit holds per user, over all sources. */
export const dismissalsMax = 10_000
export const recommendationIdMax = 500

export const dismissReasons = ['not_interested', 'already_read', 'already_owned'] as const
export type DismissReason = (typeof dismissReasons)[number]

const Text = Nullable(Type.String())
const Whole = Nullable(Int32)

const RecommendationTag = record(
  {
    name: Type.String(),
    category: Type.String({ description: 'A genre, a theme and the like.' }),
    rank: Type.Integer({ format: 'int32', minimum: 0, maximum: 100, description: 'How much it has of it.' }),
  },
  { title: 'RecommendationTag' },
)

export const RecommendationDto = record(
  {
    externalId: Type.String({ description: 'Its id at the source.' }),
    title: Type.String(),
    reason: Type.String({ description: 'For a person to read; of several plugins joined with " · ".' }),
    score: Type.Number({ minimum: 0, maximum: 1 }),
    basedOn: Type.Array(Type.String(), { description: 'Titles that led to it.' }),
    serviceSeriesId: { ...Nullable(Id), description: 'The series of this server that it is, as far as you see it.' },
    countryOfOrigin: Text,
    coverUrl: { ...Text, description: 'At the source; this server does not fetch it.' },
    externalUrl: Text,
    format: Text,
    genres: Type.Array(Type.String()),
    inService: Type.Boolean({ description: 'This server has it, as far as you see it.' }),
    inLibrary: Type.Boolean({ description: 'You have it already, as the plugin says.' }),
    popularity: Whole,
    rating: { ...Whole, description: '0 to 100, at the source.' },
    source: Type.String({ description: 'Where its id comes from: what it can be filtered by.' }),
    sourcePlugin: Type.String({ description: 'Of several plugins the one that gives it the highest score.' }),
    startYear: Whole,
    status: Nullable(OneOf(['ongoing', 'ended', 'hiatus', 'abandoned', 'unknown'])),
    summary: Text,
    tags: Nullable(Type.Array(RecommendationTag)),
    totalChapterCount: Nullable(Float),
    totalVolumeCount: Whole,
  },
  { title: 'Recommendation' },
)
export type RecommendationDto = Static<typeof RecommendationDto>

const RecommendationSource = record(
  {
    pluginId: Id,
    pluginName: Type.String(),
    cached: Type.Boolean({ description: 'It has recommended something before, which is what is shown.' }),
    generatedAt: Nullable(Timestamp),
    source: Type.String(),
    taskId: { ...Nullable(Id), description: 'Of the refresh that waits or runs.' },
    taskStatus: Nullable(
      OneOf(['pending', 'running', 'retrying', 'failed'], {
        description:
          'Of that task. `retrying`: it came to nothing and is tried again; `failed`: it is not, and there is no task.',
      }),
    ),
  },
  { title: 'RecommendationSource' },
)
export type RecommendationSource = Static<typeof RecommendationSource>

export const RecommendationsResponse = record(
  { recommendations: Type.Array(RecommendationDto), sources: Type.Array(RecommendationSource) },
  { title: 'RecommendationsResponse' },
)
export type RecommendationsResponse = Static<typeof RecommendationsResponse>

const exampleTask = '019aa3b2-6c7e-7000-8000-000000000095'

export const readRecommendations = endpoint('GET /api/v1/user/recommendations', {
  summary: 'What you might read next',
  description: [
    'From all plugins that recommend and that you have on, the best first; what several recommend stands there once. What is',
    'kept is answered at once: where it is too old or not there yet, a refresh begins, and `recommendations_updated` says',
    'when it is done.',
  ].join(' '),
  tag,
  access: 'progress:read',
  reply: RecommendationsResponse,
  example: {
    reply: {
      recommendations: [
        {
          externalId: '019aa3b2-6c7e-7000-8000-000000000030',
          title: 'Yotsuba&!',
          reason: 'Because you finished Azumanga Daioh: also by Kiyohiko Azuma.',
          score: 0.93,
          basedOn: ['Azumanga Daioh'],
          serviceSeriesId: '019aa3b2-6c7e-7000-8000-000000000030',
          countryOfOrigin: null,
          coverUrl: null,
          externalUrl: null,
          format: null,
          genres: ['Comedy'],
          inService: true,
          inLibrary: true,
          popularity: null,
          rating: null,
          source: 'plugin:local-recommendations',
          sourcePlugin: 'From your own shelves',
          startYear: 2003,
          status: 'ongoing',
          summary: null,
          tags: null,
          totalChapterCount: null,
          totalVolumeCount: null,
        },
      ],
      sources: [
        {
          pluginId: '019aa3b2-6c7e-7000-8000-000000000090',
          pluginName: 'From your own shelves',
          cached: true,
          generatedAt: '2026-11-21T10:00:00.000Z',
          source: 'plugin:local-recommendations',
          taskId: exampleTask,
          taskStatus: 'running',
        },
      ],
    },
  },
})

export const refreshRecommendations = endpoint('POST /api/v1/user/recommendations/refresh', {
  summary: 'Have recommendations made anew',
  description: 'Refused only when every plugin is at it already.',
  tag,
  access: 'progress:write',
  status: 202,
  reply: record(
    { message: Type.String(), taskIds: Type.Array(Id) },
    { title: 'RecommendationsRefresh', description: 'The tasks that were begun.' },
  ),
  errors: ['conflict'],
  example: { reply: { message: 'They are being made.', taskIds: [exampleTask] } },
})

const oneOfThem = Type.Object({ externalId: Type.String({ minLength: 1, maxLength: recommendationIdMax }) })

export const dismissRecommendation = endpoint('POST /api/v1/user/recommendations/{externalId}/dismiss', {
  summary: 'Not to be recommended this again',
  description: [
    'It is gone at once, and stays away from what the same sources recommend later. Their plugins are told half a',
    `minute later. You can dismiss ${dismissalsMax}.`,
  ].join(' '),
  tag,
  access: 'progress:write',
  params: oneOfThem,
  body: record({ reason: Type.Optional(Nullable(OneOf(dismissReasons))) }, { title: 'DismissRecommendation' }),
  bodyOptional: true,
  reply: record({ dismissed: Type.Boolean() }, { title: 'RecommendationDismissed' }),
  errors: ['not_found', 'conflict'],
  example: { body: { reason: 'already_read' }, reply: { dismissed: true } },
})

export const restoreRecommendation = endpoint('DELETE /api/v1/user/recommendations/{externalId}/dismiss', {
  summary: 'To be recommended it again',
  description: 'What a plugin has been told already it may remember.',
  tag,
  access: 'progress:write',
  params: oneOfThem,
})
