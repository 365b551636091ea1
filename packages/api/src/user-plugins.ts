import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { PluginConfigForm, pluginHealthStates, pluginTypes } from './plugin-records.ts'
import { byId, Id, Json, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Your plugins'

/** The limit holds per user and plugin, for the config written as JSON. */
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

/** It says why a connection no longer works. */
const connectionProblems = ['token_refused', 'refresh_refused', 'expired', 'unreadable'] as const
export type ConnectionProblem = (typeof connectionProblems)[number]

/** It says why signing in at a plugin’s service failed; the page it ends at has it as `?error=`. */
export type PluginSignInFailure = 'denied' | 'expired' | 'failed' | 'off' | 'unavailable' | 'unknown'

const UserPluginConnection = record(
  {
    kind: OneOf(['oauth', 'token'], { description: 'Signed in at the service, or a token that was entered.' }),
    connectedAt: Timestamp,
    problem: Nullable(
      OneOf(connectionProblems, {
        description:
          'Null: it works, as far as is known. `token_refused`: the service refuses the token. `refresh_refused`: it does not renew the sign-in. `expired`: the sign-in has run out, and cannot be renewed. `unreadable`: it was encrypted under another secret of this server.',
      }),
    ),
  },
  { title: 'UserPluginConnection' },
)

const Text = Nullable(Type.String())
const JsonObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  maxProperties: 100,
})

const ForEverybody = Type.Boolean({
  description: 'An administrator has switched it on for everybody; whoever does not want it switches it off.',
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
    enabledForEverybody: ForEverybody,
    connected: Type.Boolean({ description: 'It has what it needs of you.' }),
    requiresAuth: Type.Boolean({ description: 'It works with an account of yours elsewhere.' }),
    requiresOauth: Type.Boolean({ description: 'You can sign in there.' }),
    oauthConfigured: Type.Boolean({ description: 'The administrator has set up what signing in takes.' }),
    takesToken: Type.Boolean({ description: 'A token of yours can be entered.' }),
    connection: Nullable(UserPluginConnection),
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
    enabledForEverybody: ForEverybody,
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
  {
    enabled: Type.Array(UserPluginDto),
    available: Type.Array(AvailablePlugin),
    plugins: Type.Array(UserPluginDto, { description: 'All of both, by their names.' }),
  },
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
  enabledForEverybody: true,
  connected: true,
  requiresAuth: false,
  requiresOauth: false,
  oauthConfigured: false,
  takesToken: false,
  connection: null,
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

const elsewhere: UserPluginDto = {
  ...example,
  id: '019aa3b2-6c7e-7000-8000-000000000093',
  pluginId: '019aa3b2-6c7e-7000-8000-000000000093',
  pluginName: 'recommendations-elsewhere',
  pluginDisplayName: 'Elsewhere',
  enabledForEverybody: false,
  description: null,
  requiresAuth: true,
  requiresOauth: true,
  oauthConfigured: true,
  takesToken: true,
  config: {},
  userConfigSchema: null,
}
const one = { tag, access: 'signed-in', params: byId } as const
const change = { ...one, access: 'progress:write' } as const

export const listUserPlugins = endpoint('GET /api/v1/user/plugins', {
  summary: 'What plugins do for you, and what else they could',
  description:
    'Those that an administrator has set up. Each is off until you switch it on, or until an administrator switches it on for everybody: then it is on until you switch it off.',
  tag,
  access: 'signed-in',
  reply: UserPluginsListResponse,
  example: {
    reply: {
      enabled: [example],
      available: [],
      plugins: [example],
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
  ...change,
  summary: 'Switch a plugin on for yourself',
  description: 'Refused where it works with an account of yours elsewhere and has none yet.',
  reply: UserPluginDto,
  errors: ['not_found', 'conflict'],
  example: { reply: example },
})

export const disableUserPlugin = endpoint('POST /api/v1/user/plugins/{id}/disable', {
  ...change,
  summary: 'Switch a plugin off for yourself',
  description: 'Nothing of yours is sent to it any more, and nothing of it is shown. What you have configured stays.',
  reply: UserPluginDto,
  errors: ['not_found'],
  example: { reply: { ...example, enabled: false } },
})

export const saveUserPluginConfig = endpoint('PATCH /api/v1/user/plugins/{id}/config', {
  ...change,
  summary: 'Configure a plugin for yourself',
  description: `In place of what was configured before; at most ${userConfigBytesMax} bytes of JSON.`,
  body: record({ config: JsonObject }, { title: 'UserPluginConfig' }),
  reply: UserPluginDto,
  errors: ['not_found'],
  example: { body: { config: { language: 'de' } }, reply: example },
})

const tokenLengthMax = 16_384

export const saveUserPluginCredentials = endpoint('POST /api/v1/user/plugins/{id}/credentials', {
  ...change,
  summary: 'Connect a plugin by a token',
  description:
    'In place of any connection there was. The token is encrypted, given to the plugin for you alone, and never shown again.',
  body: record(
    {
      accessToken: Type.String({
        minLength: 1,
        maxLength: tokenLengthMax,
        pattern: '^[\\x21-\\x7e]+$',
        description: 'As the service shows it, without spaces.',
      }),
    },
    { title: 'UserPluginCredentials' },
  ),
  reply: UserPluginDto,
  errors: ['not_found', 'conflict'],
  example: {
    body: { accessToken: 'pat_8f1c02' },
    reply: {
      ...elsewhere,
      connection: { kind: 'token', connectedAt: '2026-11-21T09:30:00.000Z', problem: null },
    },
  },
})

export const disconnectUserPlugin = endpoint('DELETE /api/v1/user/plugins/{id}', {
  ...change,
  summary: 'End your connection to a plugin',
  description:
    'Your sign-in or token, your configuration, what the plugin has kept for you and what it has recommended to you are gone. One that needs no connection stays on, or off, as it is.',
  errors: ['not_found'],
})

export const beginUserPluginSignIn = endpoint('POST /api/v1/user/plugins/{id}/oauth/start', {
  ...change,
  summary: 'Begin to sign in at a plugin’s service',
  description:
    'Answers the address there to open in the browser, which marks itself with a cookie. Five minutes, and three at a time.',
  secret: true,
  reply: record({ redirectUrl: Type.String() }, { title: 'UserPluginSignIn' }),
  errors: ['not_found', 'conflict'],
  example: { reply: { redirectUrl: 'https://service.example.org/authorize?client_id=carrel&state=9yQ…' } },
})

const short = Type.Optional(Type.String({ maxLength: 4096 }))

export const finishUserPluginSignIn = endpoint('GET /api/v1/user/plugins/oauth/callback', {
  summary: 'Where a plugin’s service sends the browser back to',
  description: [
    'For the browser that began, or one in which the same user is signed in. Ends at the page of your plugins, with',
    '`?connected=` and the id of the plugin; what comes to nothing ends there with `?error=`. `denied`: the service did not',
    'let the person in, or they changed their mind there. `expired`: it took longer than five minutes. `failed`: what the',
    'service answered is no sign-in; the log of the server has the details. `off`: the plugin is off or gone, or lets nobody',
    'sign in any more. `unavailable`: the service does not answer. `unknown`: it was not begun in this browser, or is',
    'finished already.',
  ].join(' '),
  tag,
  access: 'open',
  query: Type.Object({
    state: Type.String({ minLength: 1, maxLength: 256 }),
    code: short,
    error: short,
    error_description: short,
    iss: short,
    scope: short,
  }),
  status: 303,
})
