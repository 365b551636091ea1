import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import {
  CreatePluginRequest,
  InstallPackageRequest,
  PluginDto,
  PluginFailuresResponse,
  PluginHealthDto,
  PluginLogResponse,
  type PluginManifestDto,
  PluginMetricsResponse,
  PluginPackageDto,
  PluginStatusResponse,
  PluginTestResult,
  UpdatePluginRequest,
} from './plugin-records.ts'
import { byId, Count, Id, record } from './schema.ts'

const tag = 'Plugins'

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
  oauth: null,
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
  enabledFor: 'everybody',
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
  oauthClientId: null,
  hasOauthClientSecret: false,
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

const startedReply = (message: string) => ({
  reply: {
    message,
    plugin: examplePlugin,
    healthCheckPerformed: true,
    healthCheckPassed: true,
    healthCheckLatencyMs: 3,
  },
})

/** How requests to a plugin are to be made. */
const exampleAsking: Pick<UpdatePluginRequest, 'searchPreprocessingRules' | 'autoMatchConditions'> = {
  searchPreprocessingRules: [{ pattern: ' \\(Digital\\)$', replacement: '' }],
  autoMatchConditions: { mode: 'all', rules: [{ field: 'bookCount', operator: 'gt', value: 1 }] },
}

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
    'public addresses, `network:HOST:PORT` that server wherever it is.',
  ].join(' '),
  status: 201,
  body: CreatePluginRequest,
  reply: PluginStatusResponse,
  errors: ['already_exists', 'conflict'],
  example: {
    body: {
      ...exampleAsking,
      name: 'recommendations-local',
      displayName: 'From your own shelves',
      package: '@carrel/plugin-recommendations-local',
      env: [{ key: 'LEVEL', value: '3' }],
      enabled: true,
    },
    ...startedReply('The plugin is set up.'),
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
  example: {
    body: { config: { language: 'en' }, env: [{ key: 'LEVEL', value: '3' }], ...exampleAsking },
    reply: { ...examplePlugin, config: { language: 'en' } },
  },
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
  description: 'It is started to see whether it answers, and stays on if it does not: the reply says what went wrong.',
  reply: PluginStatusResponse,
  errors: ['not_found'],
  example: startedReply('The plugin is on.'),
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

export const readPluginLog = endpoint('GET /api/v1/admin/plugins/{id}/log', {
  ...one,
  access: 'plugins:read',
  summary: 'What a plugin wrote to its log',
  description: 'The latest 2000 lines are kept. `before` of a reply, given as a parameter, asks for what came before.',
  query: record({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Absent: 100.' })),
    before: Type.Optional(Id),
  }),
  reply: PluginLogResponse,
  errors: ['not_found'],
  example: {
    reply: {
      lines: [
        {
          id: '019aa3b2-6c7e-7000-8000-000000000099',
          at: '2026-11-21T10:00:00.000Z',
          text: 'info: 120 series read from the catalogue',
        },
      ],
      before: null,
    },
  },
})

export const removePluginPackage = endpoint('DELETE /api/v1/admin/plugins/packages/{name}', {
  tag,
  access: 'plugins:delete',
  summary: 'Take an installed package away',
  description: [
    'What came from npm is deleted; a folder of your own stays where it is. Not one that comes with Carrel, and not while',
    'a plugin runs it.',
  ].join(' '),
  params: record({ name: Type.String({ minLength: 1, maxLength: 214 }) }),
  errors: ['not_found', 'conflict'],
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
