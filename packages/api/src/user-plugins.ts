import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { PluginConfigForm, pluginHealthStates, pluginTypes } from './plugin-records.ts'
import { byId, Id, Json, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Your plugins'
const access = 'signed-in'

/** Of one user and plugin, written as JSON. */
export const userConfigBytesMax = 16 * 1024

const UserPluginCapabilities = record(
  {
    readSync: Type.Boolean({ description: 'Always false: reading is not kept in step with other services yet.' }),
    userRecommendationProvider: Type.Boolean(),
    wantsDetailedProgress: Type.Boolean(),
    wantsFullMetadata: Type.Boolean(),
  },
  { title: 'UserPluginCapabilities' },
)

const Text = Nullable(Type.String())
const JsonObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  maxProperties: 100,
})

export const UserPluginDto = record(
  {
    id: { ...Id, description: 'The same as `pluginId`: of each plugin you have one.' },
    pluginId: Id,
    pluginName: Type.String(),
    pluginDisplayName: Type.String(),
    pluginType: OneOf(pluginTypes),
    description: Text,
    enabled: Type.Boolean(),
    connected: Type.Boolean({ description: 'It has what it needs of you.' }),
    requiresAuth: Type.Boolean(),
    requiresOauth: Type.Boolean(),
    oauthConfigured: Type.Boolean(),
    capabilities: UserPluginCapabilities,
    config: JsonObject,
    userConfigSchema: Nullable(PluginConfigForm),
    userSetupInstructions: Text,
    healthStatus: OneOf(pluginHealthStates),
    autoSync: Type.Boolean(),
    syncCronSchedule: Text,
    externalUsername: Text,
    externalAvatarUrl: Text,
    lastSuccessAt: Nullable(Timestamp),
    lastSyncAt: Nullable(Timestamp),
    lastSyncResult: Nullable(Json),
    createdAt: Timestamp,
  },
  { title: 'UserPlugin' },
)
export type UserPluginDto = Static<typeof UserPluginDto>

const AvailablePlugin = record(
  {
    pluginId: Id,
    name: Type.String(),
    displayName: Type.String(),
    description: Text,
    capabilities: UserPluginCapabilities,
    requiresOauth: Type.Boolean(),
    oauthConfigured: Type.Boolean(),
    userSetupInstructions: Text,
  },
  { title: 'AvailablePlugin' },
)
export type AvailablePlugin = Static<typeof AvailablePlugin>

export const UserPluginsListResponse = record(
  { enabled: Type.Array(UserPluginDto), available: Type.Array(AvailablePlugin) },
  { title: 'UserPluginsListResponse' },
)
export type UserPluginsListResponse = Static<typeof UserPluginsListResponse>

const capabilities = {
  readSync: false,
  userRecommendationProvider: true,
  wantsDetailedProgress: false,
  wantsFullMetadata: true,
}
const example: UserPluginDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000090',
  pluginId: '019aa3b2-6c7e-7000-8000-000000000090',
  pluginName: 'local-recommendations',
  pluginDisplayName: 'From your own shelves',
  pluginType: 'user',
  description: 'Looks at what you have finished, rated and dropped, and at nothing else.',
  enabled: true,
  connected: true,
  requiresAuth: false,
  requiresOauth: false,
  oauthConfigured: false,
  capabilities,
  config: { language: 'de' },
  userConfigSchema: {
    fields: [{ key: 'language', label: 'Language', description: 'Of the reasons: en or de.', type: 'string' }],
  },
  userSetupInstructions: null,
  healthStatus: 'healthy',
  autoSync: false,
  syncCronSchedule: null,
  externalUsername: null,
  externalAvatarUrl: null,
  lastSuccessAt: '2026-11-21T10:00:00.000Z',
  lastSyncAt: null,
  lastSyncResult: null,
  createdAt: '2026-11-21T09:00:00.000Z',
}

const one = { tag, access, params: byId } as const

export const listUserPlugins = endpoint('GET /api/v1/user/plugins', {
  summary: 'What plugins do for you, and what else they could',
  description:
    'Those that an administrator has switched on. Whatever needs nothing of you is on until you switch it off.',
  tag,
  access,
  reply: UserPluginsListResponse,
  example: {
    reply: {
      enabled: [example],
      available: [
        {
          pluginId: '019aa3b2-6c7e-7000-8000-000000000093',
          name: 'recommendations-elsewhere',
          displayName: 'Elsewhere',
          description: null,
          capabilities,
          requiresOauth: true,
          oauthConfigured: false,
          userSetupInstructions: null,
        },
      ],
    },
  },
})

export const readUserPlugin = endpoint('GET /api/v1/user/plugins/{id}', {
  ...one,
  summary: 'One of them',
  reply: UserPluginDto,
  errors: ['not_found'],
  example: { reply: example },
})

export const enableUserPlugin = endpoint('POST /api/v1/user/plugins/{id}/enable', {
  ...one,
  summary: 'Switch a plugin on for yourself',
  description: 'Refused where it wants you to sign in elsewhere, which is not possible yet.',
  reply: UserPluginDto,
  errors: ['not_found', 'conflict'],
  example: { reply: example },
})

export const disableUserPlugin = endpoint('POST /api/v1/user/plugins/{id}/disable', {
  ...one,
  summary: 'Switch a plugin off for yourself',
  description: 'Nothing of yours is sent to it any more, and nothing of it is shown. What you have configured stays.',
  reply: UserPluginDto,
  errors: ['not_found'],
  example: { reply: { ...example, enabled: false } },
})

export const saveUserPluginConfig = endpoint('PATCH /api/v1/user/plugins/{id}/config', {
  ...one,
  summary: 'Configure a plugin for yourself',
  description: `In place of what was configured before; at most ${userConfigBytesMax} bytes of JSON.`,
  body: record({ config: JsonObject }, { title: 'UserPluginConfig' }),
  reply: UserPluginDto,
  errors: ['not_found'],
  example: { body: { config: { language: 'de' } }, reply: example },
})
