import { definePlugin, limits, run, Type } from '@carrel/plugin-sdk'
import { dismiss, forgetDismissed, readDismissed } from './dismissed.ts'
import { languageOf } from './reasons.ts'
import { recommend } from './recommend.ts'

run(
  definePlugin({
    manifest: {
      name: 'local-recommendations',
      displayName: 'From your own shelves',
      version: '0.1.0',
      description: 'What to read next of what you have, from what you have read. It asks nobody and says why.',
      author: 'Carrel',
      userDescription:
        'Looks at what you have finished, rated and dropped, and at nothing else. Nothing leaves the server.',
    },
    capabilities: { wantsFullMetadata: true },
    userConfig: Type.Object({
      language: Type.Optional(
        Type.String({
          title: 'Language',
          description: 'Of the reasons: en, de, fr, es, pt-BR, ja, zh-Hans, ko or ar. Without it: that of the account.',
        }),
      ),
    }),
    recommendations: {
      get: async (
        { library, limit, excludeIds, language: ofAccount },
        { userConfig: { language }, storage, signal },
      ) => {
        const dismissed = await readDismissed(storage)
        // A dismissal that was taken back is still in our storage: a host that sends the list has the last word.
        const away = new Set(excludeIds ?? Object.keys(dismissed))
        const disliked = Object.keys(dismissed).filter((id) => dismissed[id] === 'not_interested' && away.has(id))
        const recommendations = await recommend({
          library,
          limit: Math.min(limit ?? 20, limits.results),
          exclude: away,
          disliked: new Set(disliked),
          language: languageOf(language ?? ofAccount),
          signal,
        })
        return { recommendations, cached: false }
      },
      dismiss: async ({ externalId, reason }, { storage }) => {
        await dismiss(storage, externalId, reason ?? 'not_interested')
        return { dismissed: true }
      },
      clear: async (_, { storage }) => ({ cleared: await forgetDismissed(storage) }),
    },
  }),
)
