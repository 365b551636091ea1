import { type Static, Type } from 'typebox'
import { Json, JsonObject, Maybe, Texts, Word, message } from './schema.ts'

/**
 * A plugin built with this package declares this version. Additions never raise it, so a host compares the number
 * before the dot.
 */
export const protocolVersion = '1.0'

/** It returns whether a host of this protocol can talk to a plugin that declares this version. */
export const isUnderstood = (version: string): boolean => /^1(\.\d+)*$/.test(version)

export const contentTypes = ['series', 'book'] as const

export const CredentialField = message({
  key: Type.String({ minLength: 1, description: 'Its name in `credentials`, and in capitals that of its variable.' }),
  label: Type.String(),
  description: Maybe(Type.String()),
  required: Maybe(Type.Boolean()),
  sensitive: Maybe(Type.Boolean({ description: 'Never shown again once it is stored.' })),
  type: Maybe(Word(['text', 'password', 'url'])),
  /** Some manifests have this in place of `type`. */
  credentialType: Maybe(Word(['string', 'password', 'oauth'])),
  placeholder: Maybe(Type.String()),
})
export type CredentialField = Static<typeof CredentialField>

export const ConfigField = message({
  key: Type.String({ minLength: 1 }),
  label: Type.String(),
  description: Maybe(Type.String()),
  type: Word(['string', 'number', 'boolean', 'string-array', 'object'], 'A hint for the form; not a check.'),
  required: Maybe(Type.Boolean()),
  default: Type.Optional(Json),
  example: Type.Optional(Json),
})
export type ConfigField = Static<typeof ConfigField>

export const ConfigSchema = message({ description: Maybe(Type.String()), fields: Type.Array(ConfigField) })
export type ConfigSchema = Static<typeof ConfigSchema>

export const OAuthConfig = message({
  authorizationUrl: Type.String(),
  tokenUrl: Type.String(),
  scopes: Maybe(Texts),
  /** Absent: yes. */
  pkce: Maybe(Type.Boolean()),
  userInfoUrl: Maybe(Type.String()),
  clientId: Maybe(Type.String()),
})
export type OAuthConfig = Static<typeof OAuthConfig>

export const ReleaseSourceCapability = message({
  kinds: Maybe(Type.Array(Word(['rss-uploader', 'rss-series', 'api-feed', 'metadata-feed', 'metadata-piggyback']))),
  requiresAliases: Maybe(Type.Boolean()),
  requiresExternalIds: Maybe(Texts),
  canAnnounceChapters: Maybe(Type.Boolean()),
  canAnnounceVolumes: Maybe(Type.Boolean()),
})

export const WebLinks = message({
  searchUrlTemplate: Type.String({ description: 'With `{title}`, and `{config.x}` for what is configured.' }),
  seriesLinks: Maybe(
    Type.Array(
      message({
        source: Type.String({
          description: 'The source of the external id it takes; the first that a series has wins.',
        }),
        urlTemplate: Type.String({ description: 'With `{externalId}`, and `{config.x}` for what is configured.' }),
      }),
    ),
  ),
})

export const PluginCapabilities = message({
  metadataProvider: Maybe(Type.Array(Word(contentTypes))),
  userReadSync: Maybe(Type.Boolean()),
  externalIdSource: Maybe(Type.String({ description: 'Where its external ids come from, as in `api:anilist`.' })),
  userRecommendationProvider: Maybe(Type.Boolean()),
  releaseSource: Maybe(Type.Union([ReleaseSourceCapability, Type.Boolean()])),
  wantsFullMetadata: Maybe(Type.Boolean({ description: 'Entries of a library come with `metadata`.' })),
  wantsDetailedProgress: Maybe(Type.Boolean({ description: 'Progress comes with each single book.' })),
  webLinks: Maybe(WebLinks),
})
export type PluginCapabilities = Static<typeof PluginCapabilities>

export const PluginManifest = message({
  name: Type.String({ minLength: 1, description: 'Lower-case letters, digits and hyphens.' }),
  displayName: Type.String({ minLength: 1 }),
  version: Type.String({ minLength: 1 }),
  protocolVersion: Type.String(),
  capabilities: PluginCapabilities,
  description: Maybe(Type.String()),
  author: Maybe(Type.String()),
  homepage: Maybe(Type.String()),
  icon: Maybe(Type.String()),
  pluginType: Maybe(Word(['system', 'user'])),
  requiredCredentials: Maybe(Type.Array(CredentialField)),
  /** The administrator fills it in. It is a form when it has `fields`; any other JSON is shown as it is. */
  configSchema: Maybe(Type.Union([ConfigSchema, JsonObject])),
  /** Each user fills it in. */
  userConfigSchema: Maybe(Type.Union([ConfigSchema, JsonObject])),
  oauth: Maybe(OAuthConfig),
  userDescription: Maybe(Type.String()),
  adminSetupInstructions: Maybe(Type.String()),
  userSetupInstructions: Maybe(Type.String()),
  searchURITemplate: Maybe(Type.String({ description: 'Where a person searches, with `<title>` for the query.' })),
  scopes: Maybe(Texts),
})
export type PluginManifest = Static<typeof PluginManifest>
