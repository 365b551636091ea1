import { Type } from 'typebox'
import { Nullable } from './schema.ts'

/** A book may be rated lower than its series, which does not exist then for who sees the book alone: nothing tells which it is. */
export const seriesIdOfBook = Nullable(
  Type.String({
    format: 'uuid',
    description: 'Null: you see the book, but its series is rated above what you may see.',
  }),
)
const name = Type.String({ description: 'Empty where `seriesId` is null.' })

export const seriesOfBook = { seriesId: seriesIdOfBook, seriesName: name }
export const titledSeriesOfBook = { seriesId: seriesIdOfBook, seriesTitle: name }
