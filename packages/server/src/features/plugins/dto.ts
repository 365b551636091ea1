import type { PluginDto, PluginHealthStatus, PluginManifestDto, PluginPackageDto } from '@carrel/api'
import type { ConfigSchema, CredentialField, PluginManifest } from '@carrel/plugin-sdk/protocol'
import { unknownIsolation } from '../../plugins/isolation.ts'
import { manifestOf } from './installing/manifests.ts'
import type { PackageRow, ShownPlugin } from './queries.ts'

/** Features above use these options; the host ignores them. */
export type PluginOptions = Pick<
  PluginDto,
  | 'searchQueryTemplate'
  | 'searchPreprocessingRules'
  | 'autoMatchConditions'
  | 'useExistingExternalId'
  | 'metadataTargets'
  | 'syncCronSchedule'
  | 'internalConfig'
>

export const noOptions: PluginOptions = {
  searchQueryTemplate: null,
  searchPreprocessingRules: null,
  autoMatchConditions: null,
  useExistingExternalId: true,
  metadataTargets: null,
  syncCronSchedule: null,
  internalConfig: null,
}

export const healthOf = ({ enabled, failures, last_success_at, last_failure_at }: ShownPlugin): PluginHealthStatus => {
  if (enabled === 0) return 'disabled'
  if (failures === 0) return last_success_at === null ? 'unknown' : 'healthy'
  return last_success_at !== null && last_success_at > (last_failure_at ?? '') ? 'degraded' : 'unhealthy'
}

export const toPlugin = (row: ShownPlugin): PluginDto => {
  const manifest = manifestOf(row)
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    description: row.description,
    pluginType: row.plugin_type,
    enabledFor: row.enabled_for ?? 'nobody',
    package: row.package,
    command: row.command,
    args: JSON.parse(row.args) as string[],
    env: (JSON.parse(row.env_keys) as string[]).map((key) => ({ key })),
    workingDirectory: row.working_directory,
    permissions: JSON.parse(row.permissions) as string[],
    scopes: JSON.parse(row.scopes) as string[],
    libraryIds: JSON.parse(row.library_ids) as string[],
    config: JSON.parse(row.config) as Record<string, unknown>,
    hasCredentials: row.credentials !== null,
    oauthClientId: row.oauth_client_id,
    hasOauthClientSecret: row.oauth_client_secret !== null,
    credentialDelivery: row.credential_delivery,
    logLevel: row.log_level as PluginDto['logLevel'],
    rateLimitRequestsPerMinute: row.requests_per_minute,
    requestTimeoutSeconds: row.request_timeout_seconds,
    ...noOptions,
    ...(JSON.parse(row.options) as Partial<PluginOptions>),
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    healthStatus: healthOf(row),
    failureCount: row.failures,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
    manifest: manifest ? toManifest(manifest) : null,
    isolation: row.isolation === null ? unknownIsolation : (JSON.parse(row.isolation) as PluginDto['isolation']),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export const toManifest = (manifest: PluginManifest): PluginManifestDto => {
  const { capabilities } = manifest
  return {
    name: manifest.name,
    displayName: manifest.displayName,
    version: manifest.version,
    protocolVersion: manifest.protocolVersion,
    description: manifest.description ?? null,
    author: manifest.author ?? null,
    homepage: manifest.homepage ?? null,
    capabilities: {
      metadataProvider: [...(capabilities.metadataProvider ?? [])],
      userReadSync: capabilities.userReadSync === true,
      externalIdSource: capabilities.externalIdSource ?? null,
      userRecommendationProvider: capabilities.userRecommendationProvider === true,
      releaseSource: capabilities.releaseSource != null && capabilities.releaseSource !== false,
      wantsFullMetadata: capabilities.wantsFullMetadata === true,
      wantsDetailedProgress: capabilities.wantsDetailedProgress === true,
    },
    contentTypes: [...(capabilities.metadataProvider ?? [])],
    scopes: [...(manifest.scopes ?? [])],
    requiredCredentials: (manifest.requiredCredentials ?? []).map((field) => ({
      key: field.key,
      label: field.label,
      description: field.description ?? null,
      required: field.required === true,
      sensitive: field.sensitive !== false,
      credentialType: credentialTypeOf(field),
    })),
    oauth: manifest.oauth ? toOAuth(manifest.oauth) : null,
    configSchema: formOf(manifest.configSchema),
    userConfigSchema: formOf(manifest.userConfigSchema),
    searchUriTemplate: manifest.searchURITemplate ?? null,
    adminSetupInstructions: manifest.adminSetupInstructions ?? null,
    userSetupInstructions: manifest.userSetupInstructions ?? null,
  }
}

/** Manifests state it in one of two ways, or not at all. */
const credentialTypeOf = ({ credentialType, type, sensitive }: CredentialField): string =>
  credentialType ?? (type === 'text' ? 'string' : type) ?? (sensitive === false ? 'string' : 'password')

const toOAuth = (oauth: NonNullable<PluginManifest['oauth']>): PluginManifestDto['oauth'] => ({
  authorizationUrl: oauth.authorizationUrl,
  tokenUrl: oauth.tokenUrl,
  scopes: [...(oauth.scopes ?? [])],
  pkce: oauth.pkce !== false,
  userInfoUrl: oauth.userInfoUrl ?? null,
  clientId: oauth.clientId ?? null,
})

/** Null where it is no form: then it is configured as JSON. */
const formOf = (schema: PluginManifest['configSchema']): PluginManifestDto['configSchema'] => {
  if (schema == null || !Array.isArray(schema['fields'])) return null
  // A schema with fields was checked as a form.
  const { description, fields } = schema as ConfigSchema
  return {
    description: description ?? null,
    fields: fields.map((field) => ({
      key: field.key,
      label: field.label,
      description: field.description ?? null,
      type: field.type,
      required: field.required ?? null,
      ...(field.default !== undefined && { default: field.default }),
      ...(field.example !== undefined && { example: field.example }),
    })),
  }
}

export const toPackage = ({ name, version, source, installed_at }: PackageRow): PluginPackageDto => ({
  name,
  version,
  source,
  installedAt: installed_at,
})
