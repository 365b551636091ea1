import * as api from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import { requireSeries } from '../../../catalogue/entries/entries.ts'
import { serve } from '../../../http/serve.ts'
import { bookOptions, firstIn, seriesOptions } from '../conditions/parameters.ts'
import { readCondition } from '../conditions/read-condition.ts'
import { equal } from '../conditions/list-options.ts'
import { requireId } from '../spelling.ts'
import type { CompatContext } from '../dependencies.ts'
import { openCompatBooks, openCompatSeries } from './lists.ts'
import { readCompatBook, readCompatSeries, readNeighbour } from './one.ts'
import { compatViewerOf, pageServing } from './serve-page.ts'
import { countLetters, duplicateBooks, latestBooks, onDeck, seriesShelf } from './shelves.ts'
import { bookSortIn, seriesSortIn } from './sorts.ts'

/** Series and books: lists of them, one of them, and what stands next to it. */
export const catalogueRoutes = (app: FastifyInstance, context: CompatContext): void => {
  seriesRoutes(app, context)
  bookRoutes(app, context)
}

const seriesRoutes = (app: FastifyInstance, context: CompatContext): void => {
  const { db, clock, records } = context
  const readViewer = compatViewerOf(context)
  const page = pageServing(app, context)
  page(api.listCompatSeries, ({ compatViewer, query }) =>
    openCompatSeries(context, compatViewer, {
      options: seriesOptions(query),
      fullTextSearch: firstIn(query, 'search'),
      sort: seriesSortIn(query),
    }),
  )
  page(api.searchCompatSeries, ({ compatViewer, query, body }) =>
    openCompatSeries(context, compatViewer, {
      options: readCondition('series', body?.condition, clock()),
      fullTextSearch: body?.fullTextSearch ?? undefined,
      sort: seriesSortIn(query),
    }),
  )
  serve(app, api.readCompatSeriesGroups, async (input) => {
    const query = input.request.query as Record<string, unknown>
    return countLetters(context, await readViewer(input), {
      options: seriesOptions(query),
      fullTextSearch: firstIn(query, 'search'),
    })
  })
  serve(app, api.searchCompatSeriesGroups, async (input) =>
    countLetters(context, await readViewer(input), {
      options: readCondition('series', input.body?.condition, clock()),
      fullTextSearch: input.body?.fullTextSearch ?? undefined,
    }),
  )
  page(api.listNewCompatSeries, ({ compatViewer, query }) => seriesShelf(context, compatViewer, query, 'new'))
  page(api.listUpdatedCompatSeries, ({ compatViewer, query }) => seriesShelf(context, compatViewer, query, 'updated'))
  page(api.listLatestCompatSeries, ({ compatViewer, query }) => seriesShelf(context, compatViewer, query, 'latest'))
  serve(app, api.readCompatSeries, async (input) =>
    readCompatSeries(records, await readViewer(input), requireId(input.params.id, 'series')),
  )
  page(
    api.listBooksOfCompatSeries,
    async ({ compatViewer, query, id }) => {
      await requireSeries(db.read, compatViewer.viewer, id)
      const options = { allOf: [equal('seriesId', id), bookOptions(query)] }
      return openCompatBooks(context, compatViewer, { options, sort: bookSortIn(query) })
    },
    'series',
  )
}

const bookRoutes = (app: FastifyInstance, context: CompatContext): void => {
  const { clock, records } = context
  const readViewer = compatViewerOf(context)
  const page = pageServing(app, context)
  page(api.listCompatBooks, ({ compatViewer, query }) =>
    openCompatBooks(context, compatViewer, {
      options: bookOptions(query),
      fullTextSearch: firstIn(query, 'search'),
      sort: bookSortIn(query),
    }),
  )
  page(api.searchCompatBooks, ({ compatViewer, query, body }) =>
    openCompatBooks(context, compatViewer, {
      options: readCondition('books', body?.condition, clock()),
      fullTextSearch: body?.fullTextSearch ?? undefined,
      sort: bookSortIn(query),
    }),
  )
  page(api.listCompatBooksOnDeck, ({ compatViewer, query }) => onDeck(context, compatViewer, query))
  page(api.listLatestCompatBooks, ({ compatViewer, query }) => latestBooks(context, compatViewer, query))
  page(api.listDuplicateCompatBooks, ({ compatViewer }) => duplicateBooks(context, compatViewer))
  serve(app, api.readCompatBook, async (input) =>
    readCompatBook(records, await readViewer(input), requireId(input.params.id, 'book')),
  )
  serve(app, api.readNextCompatBook, async (input) =>
    readNeighbour(context, await readViewer(input), requireId(input.params.id, 'book'), 'next'),
  )
  serve(app, api.readPreviousCompatBook, async (input) =>
    readNeighbour(context, await readViewer(input), requireId(input.params.id, 'book'), 'prev'),
  )
}
