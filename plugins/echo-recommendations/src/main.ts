import { definePlugin, type LibraryEntry, type Recommendation, redact, run, Type } from '@carrel/plugin-sdk'

run(
  definePlugin({
    manifest: {
      name: 'echo-recommendations',
      displayName: 'Echo (recommendations)',
      version: '0.1.0',
      description: 'Recommends an echo of every series it is told of, and logs what it is sent.',
      author: 'Carrel',
    },
    capabilities: { wantsFullMetadata: true },
    config: Type.Object({
      withoutLibrary: Type.Integer({
        title: 'For an empty library',
        description: 'How many it recommends to somebody who has nothing.',
        minimum: 0,
        maximum: 100,
        default: 3,
      }),
    }),
    start: ({ config, userConfig, credentials, dataDir, userId, log }) => {
      log.info('initialize', redact({ config, userConfig, credentials, dataDir, userId }))
    },
    recommendations: {
      get: async (params, { config, log, storage }) => {
        log.info('recommendations/get', params)
        const dismissed = new Set([...(params.excludeIds ?? []), ...(await storage.keys()).map(({ key }) => key)])
        const library = params.library.length > 0 ? params.library : entriesOf(config.withoutLibrary)
        const recommendations = library.map(echoOf).filter(({ externalId }) => !dismissed.has(externalId))
        return { recommendations: recommendations.slice(0, params.limit ?? 20), generatedAt: new Date().toISOString() }
      },
      dismiss: async (params, { log, storage }) => {
        log.info('recommendations/dismiss', params)
        await storage.set(params.externalId, params.reason ?? true)
        return { dismissed: true }
      },
      clear: async (params, { log, storage }) => {
        log.info('recommendations/clear', params)
        return { cleared: (await storage.clear()) > 0 }
      },
      updateProfile: (params, { log }) => {
        log.info('recommendations/updateProfile', params)
        return { updated: true, entriesProcessed: params.entries.length }
      },
    },
  }),
)

const entriesOf = (count: number): LibraryEntry[] =>
  Array.from({ length: count }, (_, index) => ({ seriesId: `none-${index + 1}`, title: `Nothing ${index + 1}` }))

const echoOf = ({ seriesId, title, genres, userRating }: LibraryEntry, index: number): Recommendation => ({
  externalId: `echo-${seriesId}`,
  externalUrl: `https://echo.example/${encodeURIComponent(seriesId)}`,
  title: `Echo of ${title}`,
  score: 1 / (index + 1),
  reason: userRating == null ? `Because you have ${title}.` : `Because you gave ${title} ${userRating} of 100.`,
  basedOn: [title],
  summary: `What you have: ${title}`,
  genres: genres ?? [],
  tags: [{ name: 'echo', rank: 90, category: 'Theme' }],
  inLibrary: false,
  status: 'ended',
  format: 'COMIC',
  countryOfOrigin: 'XX',
  startYear: 2_001,
  totalVolumeCount: 3,
  totalChapterCount: 12.5,
  rating: 80,
  popularity: index + 1,
})
