import { type Static, Type } from 'typebox'
import { PluginManifest } from './manifest.ts'
import { onPlugin } from './method.ts'
import { Json, JsonObject, Maybe, Word, message } from './schema.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

export const InitializeParams = message({
  adminConfig: Maybe(JsonObject),
  userConfig: Maybe(JsonObject),
  /** Both of them in one, for plugins older than the difference; a host sends it to every plugin. */
  config: Maybe(JsonObject),
  credentials: Maybe(Type.Record(Type.String(), Type.String())),
  /** A folder of the plugin's own, which outlives it. */
  dataDir: Maybe(Type.String()),
  userId: Maybe(Type.String()),
  userPluginId: Maybe(Type.String()),
  logLevel: Maybe(Word(logLevels)),
})
export type InitializeParams = Static<typeof InitializeParams>

/** The first call, and the only one until it is answered. */
export const initialize = onPlugin('initialize', { params: InitializeParams, result: PluginManifest })

/** Answered at once, whatever else the plugin is doing. */
export const ping = onPlugin('ping', { result: Type.String({ description: 'pong' }) })

/** The last call: the plugin answers, and ends. */
export const shutdown = onPlugin('shutdown', { result: Json })
