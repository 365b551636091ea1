import { type Static, Type } from 'typebox'
import { Count, Id, Json, Nullable, OneOf, record, Timestamp } from './schema.ts'

export const pluginTypes = ['system', 'user'] as const
export const credentialDeliveries = ['env', 'init_message', 'both'] as const
export const pluginLogLevels = ['debug', 'info', 'warn', 'error'] as const
/** The plugin works for these users without their switching it on. */
export const pluginAudiences = ['nobody', 'everybody'] as const
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

export const PluginConfigForm = record(
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

const PluginOAuthDto = record(
  {
    authorizationUrl: Type.String(),
    tokenUrl: Type.String(),
    scopes: Type.Array(Type.String()),
    pkce: Type.Boolean(),
    userInfoUrl: Nullable(Type.String()),
    clientId: Nullable(Type.String({ description: 'Used unless the administrator has another.' })),
  },
  { title: 'PluginOAuth', description: 'Where each user signs in, and how: OAuth 2.0 with a code.' },
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
        credentialType: Type.String({
          description: '`string`, `password`, `url`, `oauth`, or a word of its author’s.',
        }),
      }),
    ),
    oauth: Nullable(PluginOAuthDto),
    configSchema: Nullable(PluginConfigForm),
    userConfigSchema: Nullable(PluginConfigForm),
    searchUriTemplate: Nullable(Type.String()),
    adminSetupInstructions: Nullable(Type.String()),
    userSetupInstructions: Nullable(Type.String()),
  },
  { title: 'PluginManifest', description: 'What it said of itself when it was last started.' },
)
export type PluginManifestDto = Static<typeof PluginManifestDto>

const options = {
  searchQueryTemplate: Nullable(Type.String({ maxLength: 2000 })),
  searchPreprocessingRules: Json,
  autoMatchConditions: Json,
  useExistingExternalId: Type.Boolean(),
  metadataTargets: Nullable(Words),
  syncCronSchedule: Nullable(Type.String({ maxLength: 100 })),
  internalConfig: Nullable(
    record({ searchResultsLimit: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 100 }))) }),
  ),
}

const Pattern = Type.String({ minLength: 1, maxLength: 500 })
const conditionOperators = [
  ...([
    'is_null',
    'is_not_null',
    'equals',
    'not_equals',
    'gt',
    'gte',
    'lt',
    'lte',
    'contains',
    'not_contains',
  ] as const),
  ...(['starts_with', 'ends_with', 'matches', 'in', 'not_in'] as const),
] as const
/** These checks hold for new values; values stored before the checks existed are shown as they are. */
const newOptions = {
  ...options,
  searchPreprocessingRules: Nullable(
    Type.Array(
      record({
        pattern: { ...Pattern, description: 'A regular expression.' },
        replacement: Type.String({ maxLength: 500, description: 'With `$1` for a group.' }),
        description: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
        enabled: Type.Optional(Type.Boolean()),
      }),
      { maxItems: 100 },
    ),
  ),
  autoMatchConditions: Nullable(
    record({
      mode: OneOf(['all', 'any']),
      rules: Type.Array(
        record({
          field: Type.String({ minLength: 1, maxLength: 200, description: 'Such as `bookCount` or `metadata.year`.' }),
          operator: OneOf(conditionOperators),
          value: Type.Optional(Json),
        }),
        { maxItems: 100 },
      ),
    }),
  ),
  metadataTargets: Nullable(
    Type.Array(OneOf(['series', 'book']), {
      maxItems: 2,
      uniqueItems: true,
      description: 'Null: both, if it knows them.',
    }),
  ),
}

const EnabledFor = OneOf(pluginAudiences, {
  description:
    'Of what works for single users: `everybody` switches it on for all who have not switched it themselves; with `nobody` each switches it on. Absent at first: `nobody`, for our own offline recommender `everybody`.',
})

export const PluginDto = record(
  {
    id: Id,
    name: Name,
    displayName: DisplayName,
    description: Nullable(Type.String()),
    pluginType: OneOf(pluginTypes),
    enabledFor: EnabledFor,
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
    oauthClientId: Nullable(Type.String({ description: 'As whom Carrel comes to the service where users sign in.' })),
    hasOauthClientSecret: Type.Boolean(),
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
  enabledFor: EnabledFor,
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
      description:
        'Never shown again. `oauth_client_id` and `oauth_client_secret` are for signing users in: the plugin does not get them, and the id is shown.',
    }),
  ),
  credentialDelivery: OneOf(credentialDeliveries),
  logLevel: Nullable(OneOf(pluginLogLevels)),
  rateLimitRequestsPerMinute: Nullable(
    Type.Integer({ minimum: 1, maximum: 60_000, description: 'Absent: 60. Null: no limit.' }),
  ),
  requestTimeoutSeconds: Nullable(Type.Integer({ minimum: 1, maximum: 600, description: 'Absent or null: 30.' })),
  ...newOptions,
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

export const PluginStatusResponse = record(
  {
    message: Type.String(),
    plugin: PluginDto,
    healthCheckPerformed: Type.Boolean({
      description: 'One that is switched on is started, to see whether it answers.',
    }),
    healthCheckPassed: Type.Optional(Type.Boolean()),
    healthCheckLatencyMs: Type.Optional(Count),
    healthCheckError: Type.Optional(Type.String()),
  },
  { title: 'PluginStatusResponse' },
)
export type PluginStatusResponse = Static<typeof PluginStatusResponse>

export const PluginTestResult = record(
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

export const PluginFailuresResponse = record(
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

export const PluginLogResponse = record(
  {
    lines: Type.Array(
      record({
        id: Id,
        at: Timestamp,
        text: Type.String({ description: 'As it wrote it; secrets are taken out, and what is too long is cut.' }),
      }),
      { description: 'The latest last.' },
    ),
    before: Nullable(Id),
  },
  { title: 'PluginLogResponse' },
)
export type PluginLogResponse = Static<typeof PluginLogResponse>

export const PluginHealthDto = record(
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

export const PluginMetricsResponse = record(
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

export const PluginPackageDto = record(
  {
    name: Type.String(),
    version: Type.String(),
    source: OneOf(['folder', 'npm', 'built_in'], { description: '`built_in`: it comes with Carrel.' }),
    installedAt: Timestamp,
  },
  { title: 'PluginPackage' },
)
export type PluginPackageDto = Static<typeof PluginPackageDto>
