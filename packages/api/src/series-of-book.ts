import { Type } from 'typebox'
import { Nullable } from './schema.ts'

/** A book may be rated lower than its series, which does not exist then for who sees the book alone: nothing tells which it is. */
export const seriesIdOfBook = Nullable(
  Type.String({
    format: 'uuid',
    description: 'Null: hidden from you.',
  }),
)
const name = Type.String()

export const seriesOfBook = { seriesId: seriesIdOfBook, seriesName: name }
export const titledSeriesOfBook = { seriesId: seriesIdOfBook, seriesTitle: name }
