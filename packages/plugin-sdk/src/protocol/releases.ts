import { type Static, Type } from 'typebox'
import { onHost, onPlugin } from './method.ts'
import { JsonObject, Maybe, Moment, Texts, Word, message } from './schema.ts'

export const ReleaseCandidate = message({
  seriesMatch: message({
    codexSeriesId: Type.String({ description: 'The `seriesId` of the host: the wire’s name for it.' }),
    confidence: Type.Number({ description: '0 to 1.' }),
    reason: Maybe(Type.String()),
  }),
  externalReleaseId: Type.String({ minLength: 1 }),
  chapter: Maybe(Type.Number()),
  volume: Maybe(Type.Number()),
  chapters: Maybe(Type.Array(message({ start: Type.Number(), end: Type.Number() }))),
  volumes: Maybe(Type.Array(message({ start: Type.Number(), end: Type.Number() }))),
  language: Type.String(),
  formatHints: Maybe(JsonObject),
  groupOrUploader: Maybe(Type.String()),
  payloadUrl: Type.String(),
  infoHash: Maybe(Type.String()),
  metadata: Maybe(JsonObject),
  observedAt: Moment,
})
export type ReleaseCandidate = Static<typeof ReleaseCandidate>

const ofSource = { sourceId: Type.String() }
const releases = { needs: 'releases' } as const

export const releasesPoll = onPlugin('releases/poll', {
  ...releases,
  params: message({
    ...ofSource,
    sourceKey: Maybe(Type.String()),
    config: Maybe(JsonObject),
    etag: Maybe(Type.String()),
  }),
  result: message({
    candidates: Maybe(Type.Array(ReleaseCandidate)),
    etag: Maybe(Type.String()),
    notModified: Maybe(Type.Boolean()),
    upstreamStatus: Maybe(Type.Integer()),
    parsed: Maybe(Type.Integer()),
    matched: Maybe(Type.Integer()),
    recorded: Maybe(Type.Integer()),
    deduped: Maybe(Type.Integer()),
  }),
})

export const releasesListTracked = onHost('releases/list_tracked', {
  ...releases,
  params: message({
    ...ofSource,
    limit: Maybe(Type.Integer({ minimum: 1 })),
    offset: Maybe(Type.Integer({ minimum: 0 })),
  }),
  result: message({
    tracked: Type.Array(
      message({
        seriesId: Type.String(),
        aliases: Maybe(Texts),
        externalIds: Maybe(Type.Record(Type.String(), Type.String())),
        latestKnownChapter: Maybe(Type.Number()),
        latestKnownVolume: Maybe(Type.Number()),
      }),
    ),
    nextOffset: Maybe(Type.Integer()),
  }),
})
export const releasesCountTracked = onHost('releases/count_tracked', {
  ...releases,
  params: message(ofSource),
  result: message({ count: Maybe(Type.Integer()) }),
})
export const releasesRecord = onHost('releases/record', {
  ...releases,
  params: message({ ...ofSource, candidate: ReleaseCandidate }),
  result: message({ ledgerId: Maybe(Type.String()), deduped: Maybe(Type.Boolean()) }),
})
export const releasesReportProgress = onHost('releases/report_progress', {
  ...releases,
  params: JsonObject,
  result: JsonObject,
})
export const releasesSourceStateGet = onHost('releases/source_state/get', {
  ...releases,
  params: message(ofSource),
  result: message({
    etag: Maybe(Type.String()),
    lastPolledAt: Maybe(Moment),
    lastError: Maybe(Type.String()),
    lastErrorAt: Maybe(Moment),
  }),
})
export const releasesSourceStateSet = onHost('releases/source_state/set', {
  ...releases,
  params: message({ ...ofSource, etag: Maybe(Type.String()) }),
  result: JsonObject,
})
export const releasesRegisterSources = onHost('releases/register_sources', {
  ...releases,
  params: message({
    sources: Type.Array(
      message({
        sourceKey: Type.String({ minLength: 1 }),
        displayName: Type.String(),
        kind: Word(['rss-uploader', 'rss-series', 'api-feed', 'metadata-feed', 'metadata-piggyback']),
        config: Maybe(JsonObject),
      }),
    ),
  }),
  result: message({ registered: Maybe(Type.Integer()), pruned: Maybe(Type.Integer()) }),
})
