import { confidenceOf, decide, definePlugin, PluginError, run, Type } from '@carrel/plugin-sdk'

// The plugin knows only this. Yours asks a service instead: see fetchJson.
const shelf = [
  { id: '1', title: 'Night Train', year: 1999, authors: ['Ana Example'], summary: 'Two people on a train.' },
  { id: '2', title: 'Cold Harbour', year: 2004, authors: ['Ben Example'], summary: 'It is winter.' },
]

const resultOf = ({ id, title, year }, relevanceScore) => ({ externalId: id, title, year, relevanceScore })

/** How well each one fits, the best first. */
const fitting = (sought) =>
  decide(
    shelf.map((one) => ({
      one,
      confidence: confidenceOf(sought, { titles: [one.title], year: one.year, authors: one.authors }),
    })),
  )

run(
  definePlugin({
    manifest: {
      name: 'my-plugin',
      displayName: 'My plugin',
      version: '0.1.0',
      description: 'Says what it knows of two series.',
      author: 'Me',
    },
    // The form for the administrator. What they enter is checked before it reaches you.
    config: Type.Object({
      least: Type.Number({
        title: 'Least likeness',
        description: 'Of a result, 0 to 1.',
        minimum: 0,
        maximum: 1,
        default: 0.3,
      }),
    }),
    // Having this part is what makes it a provider of metadata for series. There are also `books` and `recommendations`.
    series: {
      search: ({ query, limit }, { config, log }) => {
        log.info('somebody searches', { query })
        const { ranked } = fitting({ title: query })
        const good = ranked.filter(({ confidence }) => confidence >= config.least)
        return { results: good.slice(0, limit ?? 10).map(({ one, confidence }) => resultOf(one, confidence)) }
      },
      get: ({ externalId }) => {
        const found = shelf.find(({ id }) => id === externalId)
        if (!found) throw new PluginError('not_found', `There is no series ${externalId}.`)
        return { externalId, title: found.title, year: found.year, summary: found.summary, authors: found.authors }
      },
      match: ({ title, year, author }) => {
        const { ranked, confidence } = fitting({ title, year, authors: author ? [author] : [] })
        return { match: resultOf(ranked[0].one, confidence), confidence }
      },
    },
  }),
)
