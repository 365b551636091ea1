import type { AvailablePlugin, PluginHealthStatus, UserPluginDto } from '@carrel/api'
import type { PluginManifest } from '@carrel/plugin-sdk/protocol'
import { toManifest } from '../plugins/plugins.ts'
import { isConnected, isOn, needsAccount, takesToken } from './needs.ts'
import type { OfferedRow } from './queries.ts'
import { clientIdOf } from './issuer.ts'

const isSetUp = (row: OfferedRow, { oauth }: PluginManifest): boolean => oauth != null && clientIdOf(row) !== undefined

const toConnection = ({ kind, connected_at, problem }: OfferedRow): UserPluginDto['connection'] =>
  kind === null || connected_at === null ? null : { kind, connectedAt: connected_at, problem }

const wordsOf = ({ description }: OfferedRow, { userDescription, description: own }: PluginManifest): string | null =>
  userDescription ?? own ?? description

const capabilitiesOf = ({ capabilities }: PluginManifest): UserPluginDto['capabilities'] => ({
  readSync: false,
  userRecommendationProvider: capabilities.userRecommendationProvider === true,
  wantsDetailedProgress: capabilities.wantsDetailedProgress === true,
  wantsFullMetadata: capabilities.wantsFullMetadata === true,
})

const healthOf = ({ last_success_at, last_failure_at }: OfferedRow): PluginHealthStatus => {
  if (last_failure_at === null) return last_success_at === null ? 'unknown' : 'healthy'
  return (last_success_at ?? '') > last_failure_at ? 'healthy' : 'unhealthy'
}

export const toUserPlugin = (row: OfferedRow, manifest: PluginManifest): UserPluginDto => ({
  id: row.id,
  pluginId: row.id,
  pluginName: row.name,
  pluginDisplayName: row.display_name,
  pluginType: row.plugin_type,
  description: wordsOf(row, manifest),
  enabled: isOn(row, manifest),
  enabledForEverybody: row.enabled_for === 'everybody',
  connected: isConnected(row, manifest),
  requiresAuth: needsAccount(manifest),
  requiresOauth: manifest.oauth != null,
  oauthConfigured: isSetUp(row, manifest),
  takesToken: takesToken(manifest),
  connection: toConnection(row),
  capabilities: capabilitiesOf(manifest),
  config: JSON.parse(row.config ?? '{}') as Record<string, unknown>,
  userConfigSchema: toManifest(manifest).userConfigSchema,
  userSetupInstructions: manifest.userSetupInstructions ?? null,
  healthStatus: healthOf(row),
  autoSync: false,
  syncCronSchedule: null,
  externalUsername: row.external_username,
  externalAvatarUrl: row.external_avatar_url,
  lastSuccessAt: row.generated_at,
  lastSyncAt: null,
  lastSyncResult: null,
  createdAt: row.wanted_at ?? row.created_at,
})

export const toAvailable = (row: OfferedRow, manifest: PluginManifest): AvailablePlugin => ({
  pluginId: row.id,
  name: row.name,
  displayName: row.display_name,
  enabledForEverybody: row.enabled_for === 'everybody',
  description: wordsOf(row, manifest),
  capabilities: capabilitiesOf(manifest),
  requiresOauth: manifest.oauth != null,
  oauthConfigured: isSetUp(row, manifest),
  userSetupInstructions: manifest.userSetupInstructions ?? null,
})
