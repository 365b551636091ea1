import * as api from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { requireSeries } from '../../../catalogue/entries/entries.ts'
import { serve } from '../../../http/serve.ts'
import { bookWish, firstIn, seriesWish } from '../conditions/parameters.ts'
import { readCondition } from '../conditions/read-condition.ts'
import { equal } from '../conditions/wish.ts'
import { requireId } from '../spelling.ts'
import { wantedBooks, wantedSeries } from './lists.ts'
import { readCompatBook, readCompatSeries, readNeighbour } from './one.ts'
import { onlookerOf, pageServing } from './serve-page.ts'
import { countLetters, duplicateBooks, latestBooks, onDeck, seriesShelf } from './shelves.ts'
import { bookSortIn, seriesSortIn } from './sorts.ts'

/** Series and books: lists of them, one of them, and what stands next to it. */
export const catalogueRoutes = (app: FastifyInstance, context: Context): void => {
  seriesRoutes(app, context)
  bookRoutes(app, context)
}

const seriesRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, clock } = context
  const look = onlookerOf(context)
  const page = pageServing(app, context)
  page(api.listCompatSeries, ({ onlooker, query }) =>
    wantedSeries(context, onlooker, {
      wish: seriesWish(query),
      fullTextSearch: firstIn(query, 'search'),
      sort: seriesSortIn(query),
    }),
  )
  page(api.searchCompatSeries, ({ onlooker, query, body }) =>
    wantedSeries(context, onlooker, {
      wish: readCondition('series', body?.condition, clock()),
      fullTextSearch: body?.fullTextSearch ?? undefined,
      sort: seriesSortIn(query),
    }),
  )
  serve(app, api.readCompatSeriesGroups, async (asked) => {
    const query = asked.request.query as Record<string, unknown>
    return countLetters(context, await look(asked), {
      wish: seriesWish(query),
      fullTextSearch: firstIn(query, 'search'),
    })
  })
  serve(app, api.searchCompatSeriesGroups, async (asked) =>
    countLetters(context, await look(asked), {
      wish: readCondition('series', asked.body?.condition, clock()),
      fullTextSearch: asked.body?.fullTextSearch ?? undefined,
    }),
  )
  page(api.listNewCompatSeries, ({ onlooker, query }) => seriesShelf(context, onlooker, query, 'new'))
  page(api.listUpdatedCompatSeries, ({ onlooker, query }) => seriesShelf(context, onlooker, query, 'updated'))
  page(api.listLatestCompatSeries, ({ onlooker, query }) => seriesShelf(context, onlooker, query, 'latest'))
  serve(app, api.readCompatSeries, async (asked) =>
    readCompatSeries(db, await look(asked), requireId(asked.params.id, 'series')),
  )
  page(
    api.listBooksOfCompatSeries,
    async ({ onlooker, query, id }) => {
      await requireSeries(db.read, onlooker.viewer, id)
      const wish = { allOf: [equal('seriesId', id), bookWish(query)] }
      return wantedBooks(context, onlooker, { wish, sort: bookSortIn(query) })
    },
    'series',
  )
}

const bookRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, clock } = context
  const look = onlookerOf(context)
  const page = pageServing(app, context)
  page(api.listCompatBooks, ({ onlooker, query }) =>
    wantedBooks(context, onlooker, {
      wish: bookWish(query),
      fullTextSearch: firstIn(query, 'search'),
      sort: bookSortIn(query),
    }),
  )
  page(api.searchCompatBooks, ({ onlooker, query, body }) =>
    wantedBooks(context, onlooker, {
      wish: readCondition('books', body?.condition, clock()),
      fullTextSearch: body?.fullTextSearch ?? undefined,
      sort: bookSortIn(query),
    }),
  )
  page(api.listCompatBooksOnDeck, ({ onlooker, query }) => onDeck(context, onlooker, query))
  page(api.listLatestCompatBooks, ({ onlooker, query }) => latestBooks(context, onlooker, query))
  page(api.listDuplicateCompatBooks, ({ onlooker }) => duplicateBooks(context, onlooker))
  serve(app, api.readCompatBook, async (asked) =>
    readCompatBook(db, await look(asked), requireId(asked.params.id, 'book')),
  )
  serve(app, api.readNextCompatBook, async (asked) =>
    readNeighbour(db, await look(asked), requireId(asked.params.id, 'book'), 'next'),
  )
  serve(app, api.readPreviousCompatBook, async (asked) =>
    readNeighbour(db, await look(asked), requireId(asked.params.id, 'book'), 'prev'),
  )
}
