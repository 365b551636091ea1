import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
import { contrastOf, paperOf } from './paper.ts'
import { coloursOf, textAppearanceOf } from './text-appearance.ts'

test('E4 what stands around the text can be read on every paper: 4.5 to 1', () => {
  for (const textTheme of ['light', 'sepia', 'grey', 'dark', 'oled'] as const) {
    const { page, text, quiet, accent, onAccent } = paperOf(coloursOf(textAppearanceOf({ textTheme }), 'light'))
    for (const ink of [text, quiet, accent])
      expect(contrastOf(ink, page), `${textTheme}: ${ink}`).toBeGreaterThanOrEqual(4.5)
    expect(contrastOf(onAccent, accent)).toBeGreaterThanOrEqual(4.5)
  }
})

test('E4 and on any two colours of one’s own', () => {
  const colour = array(constantFrom(...'0123456789abcdef'), { minLength: 6, maxLength: 6 }).map(
    (digits) => `#${digits.join('')}`,
  )
  assert(
    property(colour, colour, (pageColour, textColour) => {
      const { page, text, quiet, accent } = paperOf(
        coloursOf(textAppearanceOf({ textTheme: 'own', pageColour, textColour }), 'light'),
      )
      for (const ink of [text, quiet, accent]) expect(contrastOf(ink, page)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})
