import { type Static, Type } from 'typebox'
import { endpoint, listEndpoint } from './endpoint.ts'
import { Id, Json, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Settings'
const byKey = Type.Object({ key: Type.String({ minLength: 1, maxLength: 100 }) })
const ChangeReason = Type.String({ minLength: 1, maxLength: 500 })
const Value = Type.Unsafe<boolean | number | string | string[]>({
  anyOf: [{ type: 'boolean' }, { type: 'number' }, { type: 'string' }, { type: 'array', items: { type: 'string' } }],
})
export type SettingValue = Static<typeof Value>

export const SettingDto = record(
  {
    key: Type.String(),
    category: Type.String(),
    value: Value,
    valueType: OneOf(['boolean', 'integer', 'number', 'string', 'list']),
    defaultValue: Value,
    minimum: Nullable(Type.Number()),
    maximum: Nullable(Type.Number()),
    allowed: Nullable(Type.Array(Type.String())),
    description: Type.String(),
    isSensitive: Type.Boolean(),
    restartRequired: Type.Literal(false),
    updatedAt: Nullable(Timestamp),
    updatedBy: Nullable(record({ id: Nullable(Id), username: Type.String() }, { title: 'SettingAuthor' })),
  },
  { title: 'Setting' },
)
export type SettingDto = Static<typeof SettingDto>

const SettingList = record({ settings: Type.Array(SettingDto) }, { title: 'Settings' })

const exampleSetting: SettingDto = {
  key: 'rate_limit.anonymous_rps',
  category: 'rate_limit',
  value: 10,
  valueType: 'integer',
  defaultValue: 10,
  minimum: 1,
  maximum: 10000,
  allowed: null,
  description: 'Requests per second for callers who are not signed in.',
  isSensitive: false,
  restartRequired: false,
  updatedAt: null,
  updatedBy: null,
}

export const listSettings = endpoint('GET /api/v1/admin/settings', {
  summary: 'All settings that can be changed while the server runs',
  tag,
  access: 'settings:read',
  query: Type.Object({ category: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) }),
  reply: SettingList,
  example: { reply: { settings: [exampleSetting] } },
})

export const readSetting = endpoint('GET /api/v1/admin/settings/{key}', {
  summary: 'One setting',
  tag,
  access: 'settings:read',
  params: byKey,
  reply: SettingDto,
  errors: ['not_found'],
  example: { reply: exampleSetting },
})

export const saveSetting = endpoint('PUT /api/v1/admin/settings/{key}', {
  summary: 'Change a setting',
  tag,
  access: 'settings:write',
  params: byKey,
  body: record({ value: Json, changeReason: Type.Optional(ChangeReason) }, { title: 'SettingChange' }),
  guards: SettingDto,
  reply: SettingDto,
  errors: ['not_found'],
  example: { body: { value: 20, changeReason: 'A busy evening' }, reply: { ...exampleSetting, value: 20 } },
})

export const SettingHistoryEntry = record(
  {
    at: Timestamp,
    by: Nullable(record({ id: Nullable(Id), username: Type.String() }, { title: 'SettingAuthor' })),
    oldValue: Value,
    newValue: Value,
    changeReason: Nullable(Type.String()),
  },
  { title: 'SettingHistoryEntry' },
)
export type SettingHistoryEntry = Static<typeof SettingHistoryEntry>

export const listSettingHistory = listEndpoint('GET /api/v1/admin/settings/{key}/history', {
  summary: 'Who changed a setting and when, the latest first',
  tag,
  access: 'settings:read',
  params: byKey,
  item: SettingHistoryEntry,
  title: 'SettingHistoryPage',
  errors: ['not_found'],
})

export const resetSetting = endpoint('POST /api/v1/admin/settings/{key}/reset', {
  summary: 'Put a setting back to what it is without a change',
  tag,
  access: 'settings:write',
  params: byKey,
  guards: SettingDto,
  reply: SettingDto,
  errors: ['not_found'],
  example: { reply: exampleSetting },
})

export const saveSettings = endpoint('POST /api/v1/admin/settings/bulk', {
  summary: 'Change several settings, all or none',
  tag,
  access: 'settings:write',
  body: record(
    {
      updates: Type.Array(record({ key: Type.String({ minLength: 1, maxLength: 100 }), value: Json }), {
        minItems: 1,
        maxItems: 100,
      }),
      changeReason: Type.Optional(ChangeReason),
    },
    { title: 'SettingChanges' },
  ),
  reply: SettingList,
  example: {
    body: { updates: [{ key: 'rate_limit.anonymous_rps', value: 20 }] },
    reply: { settings: [{ ...exampleSetting, value: 20 }] },
  },
})

export const readPublicSettings = endpoint('GET /api/v1/settings/public', {
  summary: 'The settings that the web app needs to know',
  tag,
  access: 'signed-in',
  reply: Type.Record(Type.String(), record({ key: Type.String(), value: Value }, { title: 'PublicSetting' })),
  example: { reply: { 'opds.enabled': { key: 'opds.enabled', value: true } } },
})
