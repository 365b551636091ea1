import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { byId, Count, Id, Json, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Plugins'

export const pluginTypes = ['system', 'user'] as const
export const credentialDeliveries = ['env', 'init_message', 'both'] as const
export const pluginLogLevels = ['debug', 'info', 'warn', 'error'] as const
export const pluginHealthStates = ['unknown', 'healthy', 'degraded', 'unhealthy', 'disabled'] as const
export type PluginHealthStatus = (typeof pluginHealthStates)[number]

const JsonObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  maxProperties: 500,
})
const Words = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 200 })
const Name = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,99}$', description: 'Of this installation of it: unique.' })
const DisplayName = Type.String({ minLength: 1, maxLength: 100 })
const Enforcement = OneOf(['enforced', 'not_enforced'])

const PluginIsolation = record(
  {
    environment: Enforcement,
    files: Enforcement,
    network: Enforcement,
    processes: Enforcement,
    memory: Enforcement,
  },
  { title: 'PluginIsolation', description: 'What it was kept from when it was last started.' },
)

const ConfigFields = record(
  {
    description: Type.Optional(Nullable(Type.String())),
    fields: Type.Array(
      record({
        key: Type.String(),
        label: Type.String(),
        description: Type.Optional(Nullable(Type.String())),
        type: Type.String(),
        required: Type.Optional(Nullable(Type.Boolean())),
        default: Type.Optional(Json),
        example: Type.Optional(Json),
      }),
    ),
  },
  { title: 'PluginConfigSchema' },
)

export const PluginCapabilitiesDto = record(
  {
    metadataProvider: Type.Array(Type.String()),
    userReadSync: Type.Boolean(),
    externalIdSource: Nullable(Type.String()),
    userRecommendationProvider: Type.Boolean(),
    releaseSource: Type.Boolean(),
    wantsFullMetadata: Type.Boolean(),
    wantsDetailedProgress: Type.Boolean(),
  },
  { title: 'PluginCapabilities' },
)

export const PluginManifestDto = record(
  {
    name: Type.String(),
    displayName: Type.String(),
    version: Type.String(),
    protocolVersion: Type.String(),
    description: Nullable(Type.String()),
    author: Nullable(Type.String()),
    homepage: Nullable(Type.String()),
    capabilities: PluginCapabilitiesDto,
    contentTypes: Type.Array(Type.String()),
    scopes: Type.Array(Type.String()),
    requiredCredentials: Type.Array(
      record({
        key: Type.String(),
        label: Type.String(),
        description: Nullable(Type.String()),
        required: Type.Boolean(),
        sensitive: Type.Boolean(),
      }),
    ),
    configSchema: Nullable(ConfigFields),
    userConfigSchema: Nullable(ConfigFields),
    searchUriTemplate: Nullable(Type.String()),
    adminSetupInstructions: Nullable(Type.String()),
    userSetupInstructions: Nullable(Type.String()),
  },
  { title: 'PluginManifest', description: 'What it said of itself when it was last started.' },
)
export type PluginManifestDto = Static<typeof PluginManifestDto>

const options = {
  searchQueryTemplate: Nullable(Type.String({ maxLength: 2000 })),
  searchPreprocessingRules: Nullable(Json),
  autoMatchConditions: Nullable(Json),
  useExistingExternalId: Type.Boolean(),
  metadataTargets: Nullable(Words),
  syncCronSchedule: Nullable(Type.String({ maxLength: 100 })),
  internalConfig: Nullable(
    record({ searchResultsLimit: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 100 }))) }),
  ),
}

export const PluginDto = record(
  {
    id: Id,
    name: Name,
    displayName: DisplayName,
    description: Nullable(Type.String()),
    pluginType: OneOf(pluginTypes),
    package: Nullable(
      Type.String({ description: 'The installed package it runs; else its command stands for itself.' }),
    ),
    command: Type.String(),
    args: Type.Array(Type.String()),
    env: Type.Array(record({ key: Type.String() }), {
      description: 'The names of its variables; values are never shown.',
    }),
    workingDirectory: Nullable(Type.String()),
    permissions: Words,
    scopes: Words,
    libraryIds: Type.Array(Id, { description: 'Empty: all.' }),
    config: JsonObject,
    hasCredentials: Type.Boolean(),
    credentialDelivery: OneOf(credentialDeliveries),
    logLevel: Nullable(OneOf(pluginLogLevels)),
    rateLimitRequestsPerMinute: Nullable(Type.Integer()),
    requestTimeoutSeconds: Nullable(Type.Integer()),
    ...options,
    enabled: Type.Boolean(),
    disabledReason: Nullable(Type.String()),
    healthStatus: OneOf(pluginHealthStates),
    failureCount: Count,
    lastSuccessAt: Nullable(Timestamp),
    lastFailureAt: Nullable(Timestamp),
    manifest: Nullable(PluginManifestDto),
    isolation: PluginIsolation,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Plugin' },
)
export type PluginDto = Static<typeof PluginDto>

const common = {
  args: Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 50 }),
  description: Nullable(Type.String({ maxLength: 2000 })),
  env: Type.Array(
    record({ key: Type.String({ minLength: 1, maxLength: 100 }), value: Type.String({ maxLength: 4096 }) }),
    { maxItems: 50 },
  ),
  workingDirectory: Nullable(Type.String({ maxLength: 4096, description: 'Below data/plugins.' })),
  permissions: Words,
  scopes: Words,
  libraryIds: Type.Array(Id, { maxItems: 1000 }),
  config: JsonObject,
  credentials: Nullable(
    Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.String({ maxLength: 16_384 }), {
      maxProperties: 50,
      description: 'Never shown again.',
    }),
  ),
  credentialDelivery: OneOf(credentialDeliveries),
  logLevel: Nullable(OneOf(pluginLogLevels)),
  rateLimitRequestsPerMinute: Nullable(
    Type.Integer({ minimum: 1, maximum: 60_000, description: 'Absent: 60. Null: no limit.' }),
  ),
  requestTimeoutSeconds: Nullable(Type.Integer({ minimum: 1, maximum: 600, description: 'Absent or null: 30.' })),
  ...options,
}
const partial = Object.fromEntries(
  Object.entries(common).map(([key, schema]) => [key, Type.Optional(schema)]),
) as unknown as { [Key in keyof typeof common]: ReturnType<typeof Type.Optional<(typeof common)[Key]>> }

export const CreatePluginRequest = record(
  {
    name: Name,
    displayName: DisplayName,
    pluginType: Type.Optional(OneOf(pluginTypes)),
    command: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    package: Type.Optional(
      Type.String({ minLength: 1, maxLength: 214, description: 'An installed one, by its name.' }),
    ),
    enabled: Type.Optional(Type.Boolean({ description: 'Absent: no.' })),
    ...partial,
  },
  { title: 'CreatePluginRequest' },
)
export type CreatePluginRequest = Static<typeof CreatePluginRequest>

export const UpdatePluginRequest = record(
  {
    displayName: Type.Optional(DisplayName),
    command: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    ...partial,
  },
  { title: 'UpdatePluginRequest' },
)
export type UpdatePluginRequest = Static<typeof UpdatePluginRequest>

const PluginStatusResponse = record(
  { message: Type.String(), plugin: PluginDto, healthCheckPerformed: Type.Boolean() },
  { title: 'PluginStatusResponse' },
)
export type PluginStatusResponse = Static<typeof PluginStatusResponse>

const PluginTestResult = record(
  {
    success: Type.Boolean(),
    message: Type.String(),
    latencyMs: Nullable(Count),
    manifest: Nullable(PluginManifestDto),
  },
  { title: 'PluginTestResult' },
)
export type PluginTestResult = Static<typeof PluginTestResult>

const PluginFailureDto = record(
  {
    id: Id,
    errorCode: Type.String(),
    errorMessage: Type.String(),
    method: Nullable(Type.String()),
    context: Nullable(
      record({ lastWords: Type.String({ description: 'What it wrote to its log last; secrets are taken out.' }) }),
    ),
    occurredAt: Timestamp,
  },
  { title: 'PluginFailure' },
)
export type PluginFailureDto = Static<typeof PluginFailureDto>

const PluginFailuresResponse = record(
  {
    failures: Type.Array(PluginFailureDto),
    total: Count,
    windowFailures: Type.Integer({ minimum: 0, description: 'Grave ones within the window.' }),
    windowSeconds: Count,
    threshold: Type.Integer({ minimum: 0, description: 'So many within the window switch it off.' }),
  },
  { title: 'PluginFailuresResponse' },
)
export type PluginFailuresResponse = Static<typeof PluginFailuresResponse>

const PluginHealthDto = record(
  {
    pluginId: Id,
    name: Type.String(),
    enabled: Type.Boolean(),
    healthStatus: OneOf(pluginHealthStates),
    failureCount: Count,
    lastSuccessAt: Nullable(Timestamp),
    lastFailureAt: Nullable(Timestamp),
    disabledReason: Nullable(Type.String()),
  },
  { title: 'PluginHealth' },
)
export type PluginHealthDto = Static<typeof PluginHealthDto>

const PluginMethodMetricsDto = record(
  {
    method: Type.String(),
    requestsTotal: Count,
    requestsSuccess: Count,
    requestsFailed: Count,
    avgDurationMs: Type.Number({ minimum: 0 }),
  },
  { title: 'PluginMethodMetricsDto' },
)

const PluginMetricsDto = record(
  {
    pluginId: Id,
    pluginName: Type.String(),
    healthStatus: Type.String(),
    requestsTotal: Count,
    requestsSuccess: Count,
    requestsFailed: Count,
    rateLimitRejections: Count,
    avgDurationMs: Type.Number({ minimum: 0 }),
    errorRatePct: Type.Number({ minimum: 0, maximum: 100 }),
    lastSuccess: Nullable(Timestamp),
    lastFailure: Nullable(Timestamp),
    failureCounts: Nullable(Type.Record(Type.String(), Count)),
    byMethod: Nullable(Type.Record(Type.String(), PluginMethodMetricsDto)),
  },
  { title: 'PluginMetricsDto' },
)
export type PluginMetricsDto = Static<typeof PluginMetricsDto>

const PluginMetricsResponse = record(
  {
    updatedAt: Timestamp,
    summary: record(
      {
        totalPlugins: Count,
        healthyPlugins: Count,
        degradedPlugins: Count,
        unhealthyPlugins: Count,
        totalRequests: Count,
        totalSuccess: Count,
        totalFailed: Count,
        totalRateLimitRejections: Count,
      },
      { title: 'PluginMetricsSummaryDto' },
    ),
    plugins: Type.Array(PluginMetricsDto),
  },
  { title: 'PluginMetricsResponse' },
)
export type PluginMetricsResponse = Static<typeof PluginMetricsResponse>

export const InstallPackageRequest = Type.Unsafe<
  { source: 'folder'; path: string } | { source: 'npm'; name: string; version: string }
>({
  title: 'InstallPluginPackageRequest',
  oneOf: [
    record({
      source: Type.Literal('folder'),
      path: Type.String({ minLength: 1, maxLength: 4096, description: 'Below data/plugins.' }),
    }),
    record({
      source: Type.Literal('npm'),
      name: Type.String({ minLength: 1, maxLength: 214, description: 'One of the setting plugins.allowed_packages.' }),
      version: Type.String({
        pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]{1,64})?$',
        description: 'Exactly this one.',
      }),
    }),
  ],
})
export type InstallPackageRequest = Static<typeof InstallPackageRequest>

const PluginPackageDto = record(
  {
    name: Type.String(),
    version: Type.String(),
    source: OneOf(['folder', 'npm']),
    installedAt: Timestamp,
  },
  { title: 'PluginPackage' },
)
export type PluginPackageDto = Static<typeof PluginPackageDto>

const exampleManifest: PluginManifestDto = {
  name: 'recommendations-local',
  displayName: 'From your own shelves',
  version: '1.0.0',
  protocolVersion: '1.0',
  description: 'Recommends from what you have read.',
  author: null,
  homepage: null,
  capabilities: {
    metadataProvider: [],
    userReadSync: false,
    externalIdSource: null,
    userRecommendationProvider: true,
    releaseSource: false,
    wantsFullMetadata: false,
    wantsDetailedProgress: false,
  },
  contentTypes: [],
  scopes: [],
  requiredCredentials: [],
  configSchema: null,
  userConfigSchema: null,
  searchUriTemplate: null,
  adminSetupInstructions: null,
  userSetupInstructions: null,
}

const examplePlugin: PluginDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000090',
  name: 'recommendations-local',
  displayName: 'From your own shelves',
  description: null,
  pluginType: 'user',
  package: '@carrel/plugin-recommendations-local',
  command: 'node',
  args: [],
  env: [],
  workingDirectory: null,
  permissions: [],
  scopes: [],
  libraryIds: [],
  config: {},
  hasCredentials: false,
  credentialDelivery: 'init_message',
  logLevel: null,
  rateLimitRequestsPerMinute: 60,
  requestTimeoutSeconds: null,
  searchQueryTemplate: null,
  searchPreprocessingRules: null,
  autoMatchConditions: null,
  useExistingExternalId: true,
  metadataTargets: null,
  syncCronSchedule: null,
  internalConfig: null,
  enabled: true,
  disabledReason: null,
  healthStatus: 'healthy',
  failureCount: 0,
  lastSuccessAt: '2026-11-21T10:00:00.000Z',
  lastFailureAt: null,
  manifest: exampleManifest,
  isolation: {
    environment: 'enforced',
    files: 'enforced',
    network: 'enforced',
    processes: 'enforced',
    memory: 'enforced',
  },
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
}

const one = { tag, params: byId } as const
const statusReply = (message: string) => ({
  reply: { message, plugin: examplePlugin, healthCheckPerformed: false },
})

export const listPlugins = endpoint('GET /api/v1/admin/plugins', {
  tag,
  access: 'plugins:read',
  summary: 'All plugins, by their names',
  reply: record({ plugins: Type.Array(PluginDto), total: Count }, { title: 'PluginsListResponse' }),
  example: { reply: { plugins: [examplePlugin], total: 1 } },
})

export const createPlugin = endpoint('POST /api/v1/admin/plugins', {
  tag,
  access: 'plugins:write',
  summary: 'Set up a plugin',
  description: [
    'Runs an installed `package`, or a `command`: `node` with a script below data/plugins, or what CARREL_PLUGIN_COMMANDS',
    'allows. The same may be set up several times under different names. The permission `network` lets it reach',
    'the network.',
  ].join(' '),
  status: 201,
  body: CreatePluginRequest,
  reply: PluginStatusResponse,
  errors: ['already_exists', 'conflict'],
  example: {
    body: {
      name: 'recommendations-local',
      displayName: 'From your own shelves',
      package: '@carrel/plugin-recommendations-local',
      enabled: true,
    },
    ...statusReply('The plugin is set up.'),
  },
})

export const readPlugin = endpoint('GET /api/v1/admin/plugins/{id}', {
  ...one,
  access: 'plugins:read',
  summary: 'One plugin',
  reply: PluginDto,
  errors: ['not_found'],
  example: { reply: examplePlugin },
})

export const updatePlugin = endpoint('PATCH /api/v1/admin/plugins/{id}', {
  ...one,
  access: 'plugins:write',
  summary: 'Change a plugin',
  description: 'What is absent stays. Where it runs, it is started anew with the next request.',
  body: UpdatePluginRequest,
  guards: PluginDto,
  reply: PluginDto,
  errors: ['not_found'],
  example: { body: { config: { language: 'en' } }, reply: { ...examplePlugin, config: { language: 'en' } } },
})

export const removePlugin = endpoint('DELETE /api/v1/admin/plugins/{id}', {
  ...one,
  access: 'plugins:delete',
  summary: 'Remove a plugin, with what it has stored',
  errors: ['not_found'],
})

export const enablePlugin = endpoint('POST /api/v1/admin/plugins/{id}/enable', {
  ...one,
  access: 'plugins:write',
  summary: 'Switch a plugin on',
  reply: PluginStatusResponse,
  errors: ['not_found'],
  example: statusReply('The plugin is on.'),
})

export const disablePlugin = endpoint('POST /api/v1/admin/plugins/{id}/disable', {
  ...one,
  access: 'plugins:write',
  summary: 'Switch a plugin off',
  reply: PluginStatusResponse,
  errors: ['not_found'],
  example: statusReply('The plugin is off.'),
})

export const resetPlugin = endpoint('POST /api/v1/admin/plugins/{id}/reset', {
  ...one,
  access: 'plugins:write',
  summary: 'Forget the failures of a plugin',
  description: 'One that was switched off because of them stays off until it is switched on.',
  reply: PluginStatusResponse,
  errors: ['not_found'],
  example: statusReply('Its failures are forgotten.'),
})

export const testPlugin = endpoint('POST /api/v1/admin/plugins/{id}/test', {
  ...one,
  access: 'plugins:write',
  summary: 'Start a plugin and ask it for a sign of life',
  description: 'Also one that is off. What goes wrong is in the answer.',
  reply: PluginTestResult,
  errors: ['not_found'],
  example: { reply: { success: true, message: 'It answers.', latencyMs: 3, manifest: exampleManifest } },
})

export const readPluginFailures = endpoint('GET /api/v1/admin/plugins/{id}/failures', {
  ...one,
  access: 'plugins:read',
  summary: 'What went wrong with a plugin, the latest first',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  }),
  reply: PluginFailuresResponse,
  errors: ['not_found'],
  example: {
    reply: {
      failures: [
        {
          id: '019aa3b2-6c7e-7000-8000-000000000091',
          errorCode: 'TIMEOUT',
          errorMessage: 'It did not answer metadata/series/search within 30 seconds.',
          method: 'metadata/series/search',
          context: null,
          occurredAt: '2026-11-21T10:00:00.000Z',
        },
      ],
      total: 1,
      windowFailures: 1,
      windowSeconds: 3600,
      threshold: 3,
    },
  },
})

export const readPluginHealth = endpoint('GET /api/v1/admin/plugins/{id}/health', {
  ...one,
  access: 'plugins:read',
  summary: 'How a plugin does',
  reply: record({ health: PluginHealthDto }, { title: 'PluginHealthResponse' }),
  errors: ['not_found'],
  example: {
    reply: {
      health: {
        pluginId: examplePlugin.id,
        name: examplePlugin.name,
        enabled: true,
        healthStatus: 'healthy',
        failureCount: 0,
        lastSuccessAt: '2026-11-21T10:00:00.000Z',
        lastFailureAt: null,
        disabledReason: null,
      },
    },
  },
})

export const listPluginPackages = endpoint('GET /api/v1/admin/plugins/packages', {
  tag,
  access: 'plugins:read',
  summary: 'The packages that plugins can be set up from',
  reply: record({ packages: Type.Array(PluginPackageDto) }, { title: 'PluginPackagesResponse' }),
  example: {
    reply: {
      packages: [
        {
          name: '@carrel/plugin-recommendations-local',
          version: '1.0.0',
          source: 'folder',
          installedAt: '2026-11-21T09:00:00.000Z',
        },
      ],
    },
  },
})

export const installPluginPackage = endpoint('POST /api/v1/admin/plugins/packages', {
  tag,
  access: 'plugins:write',
  summary: 'Install a package to set plugins up from',
  description: [
    'From a folder below data/plugins, or from npm, if the setting plugins.allowed_packages names it. Scripts of packages',
    'are not run, and nothing is downloaded later. A newer version takes the place of the older one.',
  ].join(' '),
  status: 202,
  body: InstallPackageRequest,
  reply: record({ taskId: Id }, { title: 'PluginPackageTask' }),
  errors: ['conflict'],
  example: {
    body: { source: 'folder', path: 'recommendations-local' },
    reply: { taskId: '019aa3b2-6c7e-7000-8000-000000000092' },
  },
})

export const readPluginMetrics = endpoint('GET /api/v1/metrics/plugins', {
  tag,
  access: 'plugins:read',
  summary: 'How often plugins were asked, and how that went',
  description: 'Since they were set up, on all nodes; a few moments behind.',
  reply: PluginMetricsResponse,
  example: {
    reply: {
      updatedAt: '2026-11-21T10:00:00.000Z',
      summary: {
        totalPlugins: 1,
        healthyPlugins: 1,
        degradedPlugins: 0,
        unhealthyPlugins: 0,
        totalRequests: 12,
        totalSuccess: 11,
        totalFailed: 1,
        totalRateLimitRejections: 0,
      },
      plugins: [
        {
          pluginId: examplePlugin.id,
          pluginName: examplePlugin.displayName,
          healthStatus: 'healthy',
          requestsTotal: 12,
          requestsSuccess: 11,
          requestsFailed: 1,
          rateLimitRejections: 0,
          avgDurationMs: 41.5,
          errorRatePct: 8.33,
          lastSuccess: '2026-11-21T10:00:00.000Z',
          lastFailure: '2026-11-21T09:00:00.000Z',
          failureCounts: { NOT_FOUND: 1 },
          byMethod: {
            'recommendations/get': {
              method: 'recommendations/get',
              requestsTotal: 12,
              requestsSuccess: 11,
              requestsFailed: 1,
              avgDurationMs: 41.5,
            },
          },
        },
      ],
    },
  },
})
