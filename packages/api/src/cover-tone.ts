import { type Static, Type } from 'typebox'
import { Nullable, record } from './schema.ts'

const Colour = Type.String({ pattern: '^#[0-9a-f]{6}$' })

/** Lists carry it with each entry: without a title it is written faster than a schema that is referred to. */
const CoverTone = record({
  tone: { ...Colour, description: 'What the cover looks like.' },
  onLight: { ...Colour, description: 'The same hue, as text on light grounds or below white letters.' },
  onDark: { ...Colour, description: 'The same hue, as text on dark grounds or below black letters.' },
})
export type CoverTone = Static<typeof CoverTone>

export const toneOfCover = {
  ...Nullable(CoverTone),
  description: 'The colour of the cover; null where it has none, or none is known yet.',
}

export const exampleTone: CoverTone = { tone: '#b0883d', onLight: '#7d5300', onDark: '#d1a557' }
