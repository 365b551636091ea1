import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { type FieldGroup, matchGroups } from './fields/field.ts'
import { matchedFields, Skipped } from './matching.ts'
import { byId, Count, Id, Json, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Matching'

export const fieldGroups = Object.keys(matchGroups) as readonly FieldGroup[]
const Field = OneOf(matchedFields)

const refreshScopes = ['series_only', 'books_only', 'series_and_books'] as const
const config = {
  scope: OneOf(refreshScopes),
  fieldGroups: Type.Array(OneOf(fieldGroups), {
    maxItems: 20,
    uniqueItems: true,
    description: 'Empty, with no extra fields: all that the plugin may write.',
  }),
  extraFields: Type.Array(Field, { maxItems: 60, uniqueItems: true }),
  skipRecentlySyncedWithinS: Type.Integer({
    minimum: 0,
    maximum: 31_536_000,
    description: 'What was asked about within these seconds is not asked about again.',
  }),
}
const RefreshConfig = record(config, { title: 'MetadataRefreshConfig' })
export type RefreshConfig = Static<typeof RefreshConfig>
const NewRefreshConfig = record(
  {
    scope: Type.Optional(config.scope),
    fieldGroups: Type.Optional(config.fieldGroups),
    extraFields: Type.Optional(config.extraFields),
    skipRecentlySyncedWithinS: Type.Optional(config.skipRecentlySyncedWithinS),
  },
  { title: 'NewMetadataRefreshConfig', description: 'Absent: series only, all fields, an hour.' },
)
export type NewRefreshConfig = Static<typeof NewRefreshConfig>

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Cron = Type.String({ minLength: 1, maxLength: 100, description: 'Five fields, such as `0 4 * * 0`.' })
const TimeZone = Nullable(Type.String({ minLength: 1, maxLength: 100, description: 'Null: UTC.' }))

const LibraryJob = record(
  {
    id: Id,
    libraryId: Id,
    pluginId: Id,
    name: Type.String(),
    config: RefreshConfig,
    cronSchedule: Type.String(),
    timezone: Nullable(Type.String()),
    enabled: Type.Boolean(),
    lastRunAt: Nullable(Timestamp),
    lastRunStatus: Nullable(OneOf(['completed', 'failed'])),
    lastRunMessage: Nullable(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'LibraryJob' },
)
export type LibraryJob = Static<typeof LibraryJob>

export const NewLibraryJob = record(
  {
    pluginId: Id,
    name: Type.Optional(Name),
    cronSchedule: Cron,
    timezone: Type.Optional(TimeZone),
    enabled: Type.Optional(Type.Boolean({ default: true })),
    config: Type.Optional(NewRefreshConfig),
  },
  { title: 'NewLibraryJob' },
)
export type NewLibraryJob = Static<typeof NewLibraryJob>

export const LibraryJobPatch = record(
  {
    name: Type.Optional(Name),
    cronSchedule: Type.Optional(Cron),
    timezone: Type.Optional(TimeZone),
    enabled: Type.Optional(Type.Boolean()),
    config: Type.Optional(NewRefreshConfig),
  },
  { title: 'LibraryJobPatch' },
)
export type LibraryJobPatch = Static<typeof LibraryJobPatch>

const exampleJob: LibraryJob = {
  id: '019aa3b2-6c7e-7000-8000-0000000000b0',
  libraryId: '019aa3b2-6c7e-7000-8000-000000000020',
  pluginId: '019aa3b2-6c7e-7000-8000-000000000090',
  name: 'Status and ratings',
  config: {
    scope: 'series_only',
    fieldGroups: ['status', 'ratings'],
    extraFields: [],
    skipRecentlySyncedWithinS: 3600,
  },
  cronSchedule: '0 4 * * 0',
  timezone: 'Europe/Berlin',
  enabled: true,
  lastRunAt: null,
  lastRunStatus: null,
  lastRunMessage: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}
const exampleNew: NewLibraryJob = {
  pluginId: exampleJob.pluginId,
  name: exampleJob.name,
  cronSchedule: exampleJob.cronSchedule,
  timezone: exampleJob.timezone,
  config: { fieldGroups: ['status', 'ratings'] },
}

const ofLibrary = { tag, params: byId, errors: ['not_found', 'conflict'] } as const
const ofJob = {
  tag,
  params: Type.Object({ id: Id, jobId: Id }),
  errors: ['not_found', 'conflict'],
  access: 'libraries:write',
} as const

export const listLibraryJobs = endpoint('GET /api/v1/libraries/{id}/jobs', {
  ...ofLibrary,
  summary: 'What is asked again by itself in a library',
  access: 'libraries:write',
  reply: record({ jobs: Type.Array(LibraryJob) }, { title: 'LibraryJobs' }),
  example: { reply: { jobs: [exampleJob] } },
})
export const createLibraryJob = endpoint('POST /api/v1/libraries/{id}/jobs', {
  ...ofLibrary,
  summary: 'Ask a plugin again and again about what it has matched',
  access: 'libraries:write',
  status: 201,
  body: NewLibraryJob,
  reply: LibraryJob,
  example: { body: exampleNew, reply: exampleJob },
})
export const readLibraryJob = endpoint('GET /api/v1/libraries/{id}/jobs/{jobId}', {
  ...ofJob,
  summary: 'One such job',
  reply: LibraryJob,
  example: { reply: exampleJob },
})
export const updateLibraryJob = endpoint('PATCH /api/v1/libraries/{id}/jobs/{jobId}', {
  ...ofJob,
  summary: 'Change such a job',
  body: LibraryJobPatch,
  reply: LibraryJob,
  example: { body: { enabled: false }, reply: { ...exampleJob, enabled: false } },
})
export const removeLibraryJob = endpoint('DELETE /api/v1/libraries/{id}/jobs/{jobId}', {
  ...ofJob,
  summary: 'Remove such a job',
})
export const runLibraryJob = endpoint('POST /api/v1/libraries/{id}/jobs/{jobId}/run-now', {
  ...ofJob,
  summary: 'Run such a job now',
  status: 202,
  reply: record({ taskId: Id }, { title: 'LibraryJobStarted' }),
  example: { reply: { taskId: '019aa3b2-6c7e-7000-8000-000000000070' } },
})

const DryRunDelta = record(
  {
    entity: OneOf(['series', 'book']),
    entityId: Id,
    title: Type.String(),
    changes: Type.Array(record({ field: Field, before: Json, after: Json })),
    skipped: Type.Array(Skipped),
  },
  { title: 'LibraryJobDelta' },
)
const DryRunReply = record(
  {
    sample: Type.Array(DryRunDelta, { description: 'What would become of some of them, the next that are due.' }),
    totalEligible: { ...Count, description: 'That would be asked about.' },
    estSkippedNoId: { ...Count, description: 'That the plugin has not matched.' },
    estSkippedRecentlySynced: { ...Count, description: 'That were asked about not long ago.' },
    planFailure: Nullable(Type.String({ description: 'Why the sample ends where it does.' })),
  },
  { title: 'LibraryJobDryRun' },
)
export type LibraryJobDryRun = Static<typeof DryRunReply>
export const DryRunBody = record(
  {
    sampleSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 5 })),
    configOverride: Type.Optional(NewRefreshConfig),
  },
  { title: 'DryRunLibraryJob' },
)
export type DryRunBody = Static<typeof DryRunBody>
export const dryRunLibraryJob = endpoint('POST /api/v1/libraries/{id}/jobs/{jobId}/dry-run', {
  ...ofJob,
  summary: 'What such a job would change',
  description: 'The plugin is asked about a few; nothing is written. It takes half a minute at most.',
  body: DryRunBody,
  bodyOptional: true,
  reply: DryRunReply,
  example: {
    body: { sampleSize: 3 },
    reply: {
      sample: [
        {
          entity: 'series',
          entityId: '019aa3b2-6c7e-7000-8000-000000000030',
          title: 'Yotsuba&!',
          changes: [{ field: 'status', before: 'ongoing', after: 'ended' }],
          skipped: [{ field: 'publisher', reason: 'locked' }],
        },
      ],
      totalEligible: 210,
      estSkippedNoId: 12,
      estSkippedRecentlySynced: 3,
      planFailure: null,
    },
  },
})

const Group = record(
  { id: OneOf(fieldGroups), label: Type.String(), fields: Type.Array(Field) },
  { title: 'FieldGroup' },
)
export const listFieldGroups = endpoint('GET /api/v1/library-jobs/metadata-refresh/field-groups', {
  tag,
  summary: 'Which fields belong together',
  access: 'libraries:read',
  reply: record({ groups: Type.Array(Group) }, { title: 'FieldGroups' }),
  example: { reply: { groups: [{ id: 'ratings', label: 'Ratings', fields: ['externalRatings', 'communityRating'] }] } },
})
