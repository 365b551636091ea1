import { type Static, type TObject, Type } from 'typebox'
import { configSchemaOf } from './configuration.ts'
import type { CallHost } from './calls.ts'
import type { Log } from './log.ts'
import * as protocol from './protocol/index.ts'
import type { Method, PluginCapabilities, PluginManifest } from './protocol/index.ts'
import type { Storage } from './storage.ts'

/** A plugin is started with this. */
export interface Setup<Config, UserConfig> {
  /** It is the administrator's configuration, checked and with its defaults. */
  readonly config: Config
  /** It is the user's own configuration. */
  readonly userConfig: UserConfig
  readonly credentials: Readonly<Record<string, string>>
  /** A folder that outlives the plugin, where the host gives one. */
  readonly dataDir: string | undefined
  /** The call runs on behalf of this user; it is absent when the call runs for everybody. */
  readonly userId: string | undefined
  readonly log: Log
  readonly storage: Storage
  readonly host: CallHost
  /** Aborted when nobody waits any longer: the plugin is to end, or the call has taken too long. */
  readonly signal: AbortSignal
}

/** A call gets all of the setup, and what `start` has returned. */
export interface Call<State, Config, UserConfig> extends Setup<Config, UserConfig> {
  readonly state: State
}

type Handler<M, Context> =
  M extends Method<infer Params, infer Result> ? (params: Params, call: Context) => Result | Promise<Result> : never

export interface SeriesPart<Context> {
  readonly search: Handler<typeof protocol.searchSeries, Context>
  readonly get: Handler<typeof protocol.getSeries, Context>
  readonly match?: Handler<typeof protocol.matchSeries, Context>
}

export interface BooksPart<Context> {
  readonly search: Handler<typeof protocol.searchBooks, Context>
  readonly get: Handler<typeof protocol.getBook, Context>
  readonly match?: Handler<typeof protocol.matchBook, Context>
}

export interface RecommendationsPart<Context> {
  readonly get: Handler<typeof protocol.getRecommendations, Context>
  readonly dismiss?: Handler<typeof protocol.dismissRecommendation, Context>
  readonly clear?: Handler<typeof protocol.clearRecommendations, Context>
  readonly updateProfile?: Handler<typeof protocol.updateProfile, Context>
}

export interface SyncPart<Context> {
  readonly userInfo: Handler<typeof protocol.syncUserInfo, Context>
  readonly push: Handler<typeof protocol.syncPush, Context>
  readonly pull: Handler<typeof protocol.syncPull, Context>
  readonly status?: Handler<typeof protocol.syncStatus, Context>
}

export interface ReleasesPart<Context> {
  readonly poll: Handler<typeof protocol.releasesPoll, Context>
}

type OwnWords = Omit<PluginManifest, 'protocolVersion' | 'capabilities' | 'configSchema' | 'userConfigSchema'>

export interface PluginParts<State, Config extends TObject, UserConfig extends TObject> {
  /** Its name and words. Which version of the protocol, which form and which abilities follow from the rest. */
  readonly manifest: OwnWords & { readonly description: string; readonly author: string }
  /** Abilities beyond what the parts below say: `wantsFullMetadata`, `externalIdSource`, `webLinks`, … */
  readonly capabilities?: PluginCapabilities
  /** The administrator can configure this: a TypeBox object. Titles and descriptions are the words of the form. */
  readonly config?: Config
  /** Each user can configure this. */
  readonly userConfig?: UserConfig
  /**
   * The host calls it before the first call; what it returns is the `state` of each. It may be called again after it
   * has failed.
   */
  readonly start?: (setup: Setup<Static<Config>, Static<UserConfig>>) => State | Promise<State>
  /** The SDK calls it after the last call. */
  readonly stop?: (state: State) => void | Promise<void>
  readonly series?: SeriesPart<Call<State, Static<Config>, Static<UserConfig>>>
  readonly books?: BooksPart<Call<State, Static<Config>, Static<UserConfig>>>
  readonly recommendations?: RecommendationsPart<Call<State, Static<Config>, Static<UserConfig>>>
  readonly sync?: SyncPart<Call<State, Static<Config>, Static<UserConfig>>>
  readonly releases?: ReleasesPart<Call<State, Static<Config>, Static<UserConfig>>>
}

type AnyCall = Call<unknown, unknown, unknown>
export type AnyHandler = (params: unknown, call: AnyCall) => unknown

/** A plugin as `run` takes it. */
export interface Plugin {
  readonly manifest: PluginManifest
  readonly config: TObject
  readonly userConfig: TObject
  readonly start: (setup: Setup<unknown, unknown>) => unknown
  readonly stop: (state: unknown) => unknown
  readonly handlers: ReadonlyMap<Method, AnyHandler>
}

const nothing = Type.Object({})

const methodsOf = {
  series: { search: protocol.searchSeries, get: protocol.getSeries, match: protocol.matchSeries },
  books: { search: protocol.searchBooks, get: protocol.getBook, match: protocol.matchBook },
  recommendations: {
    get: protocol.getRecommendations,
    dismiss: protocol.dismissRecommendation,
    clear: protocol.clearRecommendations,
    updateProfile: protocol.updateProfile,
  },
  sync: {
    userInfo: protocol.syncUserInfo,
    push: protocol.syncPush,
    pull: protocol.syncPull,
    status: protocol.syncStatus,
  },
  releases: { poll: protocol.releasesPoll },
} as const
const partNames = Object.keys(methodsOf) as (keyof typeof methodsOf)[]

/** A plugin is what it has: the parts that are given here are the abilities it declares. */
export const definePlugin = <
  State = undefined,
  Config extends TObject = typeof nothing,
  UserConfig extends TObject = typeof nothing,
>(
  parts: PluginParts<State, Config, UserConfig>,
): Plugin => {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(parts.manifest.name)) {
    throw new Error(
      `"${parts.manifest.name}" is no name for a plugin: lower-case letters, digits and hyphens, up to 64.`,
    )
  }
  const handlers = new Map(partNames.flatMap((name) => handlersOf(methodsOf[name], parts[name] ?? {})))
  if (handlers.size === 0)
    throw new Error(`${parts.manifest.name} can do nothing: give it one of ${partNames.join(', ')}.`)
  return {
    manifest: manifestOf(parts),
    config: parts.config ?? nothing,
    userConfig: parts.userConfig ?? nothing,
    // Incoming messages are checked against the schemas these types are made of.
    start: (parts.start ?? (() => undefined)) as Plugin['start'],
    stop: (parts.stop ?? (() => undefined)) as Plugin['stop'],
    handlers,
  }
}

const handlersOf = (methods: Readonly<Record<string, unknown>>, part: object): [Method, AnyHandler][] =>
  Object.entries(methods).flatMap(([name, method]) => {
    const handler = (part as Readonly<Record<string, AnyHandler | undefined>>)[name]
    return handler === undefined ? [] : [[method as Method, handler]]
  })

const manifestOf = <State, Config extends TObject, UserConfig extends TObject>({
  manifest,
  capabilities,
  ...parts
}: PluginParts<State, Config, UserConfig>): PluginManifest => {
  const metadataProvider = [...(parts.series ? ['series'] : []), ...(parts.books ? ['book'] : [])]
  return {
    ...manifest,
    protocolVersion: protocol.protocolVersion,
    capabilities: {
      ...capabilities,
      ...(metadataProvider.length > 0 && { metadataProvider }),
      ...(parts.recommendations && { userRecommendationProvider: true }),
      ...(parts.sync && { userReadSync: true }),
      ...(parts.releases && { releaseSource: capabilities?.releaseSource ?? {} }),
    },
    ...(parts.config && { configSchema: configSchemaOf(parts.config) }),
    ...(parts.userConfig && { userConfigSchema: configSchemaOf(parts.userConfig) }),
  }
}
