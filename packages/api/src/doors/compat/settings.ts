import { type Static, type TSchema, Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Nullable, OneOf, record } from '../../schema.ts'
import { Repeated } from './page.ts'
import { compat } from './shared.ts'

const fromSources = <S extends TSchema>(schema: S, title: string) =>
  record(
    { configurationSource: Nullable(schema), databaseSource: Nullable(schema), effectiveValue: Nullable(schema) },
    { title },
  )

const ThumbnailSize = OneOf(['DEFAULT', 'MEDIUM', 'LARGE', 'XLARGE'])
const CompatServerSettings = record(
  {
    deleteEmptyCollections: Type.Boolean(),
    deleteEmptyReadLists: Type.Boolean(),
    rememberMeDurationDays: Type.Integer(),
    thumbnailSize: ThumbnailSize,
    taskPoolSize: Type.Integer(),
    serverPort: fromSources(Type.Integer(), 'CompatSettingOfNumber'),
    serverContextPath: fromSources(Type.String(), 'CompatSettingOfText'),
    koboProxy: Type.Boolean(),
    koboPort: Nullable(Type.Integer()),
    kepubifyPath: fromSources(Type.String(), 'CompatSettingOfText'),
  },
  { title: 'CompatServerSettings' },
)
export type CompatServerSettings = Static<typeof CompatServerSettings>

const nowhere = { configurationSource: null, databaseSource: null, effectiveValue: null }

export const readCompatServerSettings = endpoint('GET /{prefix}/api/v1/settings', {
  ...compat,
  summary: 'Settings of the server as another project names them',
  access: 'system:admin',
  reply: CompatServerSettings,
  example: {
    reply: {
      deleteEmptyCollections: false,
      deleteEmptyReadLists: false,
      rememberMeDurationDays: 365,
      thumbnailSize: 'DEFAULT',
      taskPoolSize: 1,
      serverPort: { configurationSource: 8080, databaseSource: null, effectiveValue: 8080 },
      serverContextPath: { configurationSource: '/komga', databaseSource: null, effectiveValue: '/komga' },
      koboProxy: false,
      koboPort: null,
      kepubifyPath: nowhere,
    },
  },
})

const optional = <S extends TSchema>(schema: S) => Type.Optional(Nullable(schema))
const Text = Type.String({ maxLength: 4096 })
const CompatServerSettingsChange = Type.Object(
  {
    deleteEmptyCollections: optional(Type.Boolean()),
    deleteEmptyReadLists: optional(Type.Boolean()),
    rememberMeDurationDays: optional(Type.Integer()),
    renewRememberMeKey: optional(Type.Boolean()),
    thumbnailSize: optional(ThumbnailSize),
    taskPoolSize: optional(Type.Integer()),
    serverPort: optional(Type.Integer()),
    serverContextPath: optional(Text),
    koboProxy: optional(Type.Boolean()),
    koboPort: optional(Type.Integer()),
    kepubifyPath: optional(Text),
  },
  { title: 'CompatServerSettingsChange' },
)
export type CompatServerSettingsChange = Static<typeof CompatServerSettingsChange>

export const changeCompatServerSettings = endpoint('PATCH /{prefix}/api/v1/settings', {
  ...compat,
  summary: 'Change what these settings have a meaning for here: the size of thumbnails',
  description: 'Anything else may be sent as it is answered, and is refused where it would be different.',
  access: 'settings:write',
  body: CompatServerSettingsChange,
  example: { body: { thumbnailSize: 'LARGE' } },
})

// Figures

const names = record({ names: Type.Array(Type.String()) }, { title: 'CompatMetricNames' })

export const listCompatMetrics = endpoint('GET /{prefix}/actuator/metrics', {
  ...compat,
  summary: 'Which figures of the server there are',
  access: 'system:admin',
  reply: names,
  example: { reply: { names: ['komga.books'] } },
})

const CompatMetric = record(
  {
    name: Type.String(),
    description: Nullable(Type.String()),
    baseUnit: Nullable(Type.String()),
    measurements: Type.Array(record({ statistic: Type.String(), value: Type.Number() })),
    availableTags: Type.Array(record({ tag: Type.String(), values: Type.Array(Type.String()) })),
  },
  { title: 'CompatMetric' },
)
export type CompatMetric = Static<typeof CompatMetric>

export const readCompatMetric = endpoint('GET /{prefix}/actuator/metrics/{name}', {
  ...compat,
  summary: 'One figure of the server',
  description: '`tag=library:…` or `tag=type:…` narrows it to one of the values it names.',
  access: 'system:admin',
  params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
  query: Type.Object({ tag: Type.Optional(Repeated) }),
  reply: CompatMetric,
  errors: ['not_found'],
  example: {
    reply: {
      name: 'komga.books',
      description: 'The number of books',
      baseUnit: null,
      measurements: [{ statistic: 'VALUE', value: 1200 }],
      availableTags: [{ tag: 'library', values: ['019aa3b2-6c7e-7000-8000-000000000020'] }],
    },
  },
})
