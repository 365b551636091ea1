import { Type } from 'typebox'
import { coverFields } from './cover-fields.ts'
import { Id, record } from './schema.ts'

export const coversOfNameMax = 2

/** By two pictures one knows a name again, wherever it stands. */
export const coversOfName = Type.Array(record({ seriesId: Id, ...coverFields }, { title: 'CoverOfName' }), {
  maxItems: coversOfNameMax,
  description: 'Of series you may see: the first that came here, and the last.',
})
