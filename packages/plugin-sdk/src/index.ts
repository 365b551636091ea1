export {
  type BooksPart,
  type Call,
  type Plugin,
  type PluginParts,
  type RecommendationsPart,
  type ReleasesPart,
  type SeriesPart,
  type Setup,
  type SyncPart,
  definePlugin,
} from './define-plugin.ts'
export type { CallHost } from './calls.ts'
export { type FetchOptions, fetchJson } from './fetch-json.ts'
export type { Log } from './log.ts'
export { type ErrorDetails, PluginError } from './plugin-error.ts'
export {
  type MatchCandidate,
  type Sought,
  confidenceOf,
  decide,
  plainTitle,
  titleLikeness,
  trigramsOf,
} from './matching.ts'
export * from './protocol/index.ts'
export { redact } from './redact.ts'
export { run } from './run.ts'
export { type Static, type TObject, type TSchema, Type } from 'typebox'
export type { Storage } from './storage.ts'
