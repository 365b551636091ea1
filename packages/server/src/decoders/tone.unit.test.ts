import { expect, test } from 'vitest'
import { randomFrom } from '../../test/smoke/random.ts'
import { contrastOf, packTone, toneOf, toOklab, unpackTone } from './tone.ts'

type Colour = readonly [number, number, number]

const colourOf = (hex: string): Colour => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => Number.parseInt(hex.slice(from, from + 2), 16))
  return [red, green, blue]
}
const hueOf = (colour: Colour): number => {
  const [, a, b] = toOklab(colour)
  return (Math.atan2(b, a) * 180) / Math.PI
}
const contrast = (hex: string, ground: string): number => contrastOf(colourOf(hex), colourOf(ground))

const picture = (colours: readonly Colour[]): Uint8Array =>
  Uint8Array.from(colours.flatMap((colour) => [...colour, 255]))

/** A few areas of one colour each, as covers have them. */
const randomPicture = (random: () => number): Uint8Array => {
  const anyColour = (): Colour => [random(), random(), random()].map((value) => Math.round(value * 255)) as never
  const areas = Array.from({ length: 1 + Math.floor(random() * 5) }, () => ({
    colour: anyColour(),
    size: 1 + Math.floor(random() * 60),
  }))
  return picture(areas.flatMap(({ colour, size }) => Array.from({ length: size }, () => colour)))
}

test('A2 the colours of 2,000 random covers can be read on every ground they may stand on', () => {
  const random = randomFrom(21)
  const tones = Array.from({ length: 2000 }, () => toneOf(randomPicture(random))).filter((tone) => tone !== null)
  expect(tones.length).toBeGreaterThan(1900)
  const worst = (of: 'onLight' | 'onDark', ground: string) =>
    Math.min(...tones.map((tone) => contrast(tone[of], ground)))

  expect(worst('onLight', '#ecece8')).toBeGreaterThanOrEqual(4.6)
  expect(worst('onLight', '#ffffff')).toBeGreaterThanOrEqual(4.6)
  expect(worst('onDark', '#343836')).toBeGreaterThanOrEqual(4.6)
  expect(worst('onDark', '#171918')).toBeGreaterThanOrEqual(4.6)
  expect(worst('onDark', '#131514')).toBeGreaterThanOrEqual(4.6)
})

test('A2 a cover of one colour keeps its hue, for reading too', () => {
  const hues: readonly Colour[] = [
    [200, 30, 30],
    [200, 115, 30],
    [200, 200, 30],
    [115, 200, 30],
    [30, 200, 30],
    [30, 200, 115],
    [30, 200, 200],
    [30, 115, 200],
    [30, 30, 200],
    [115, 30, 200],
    [200, 30, 200],
    [200, 30, 115],
  ]
  for (const colour of hues) {
    const tone = toneOf(picture(Array.from({ length: 50 }, () => colour)))
    if (!tone) throw new Error('It has a colour.')
    for (const hex of [tone.tone, tone.onLight, tone.onDark]) {
      const turned = Math.abs(hueOf(colourOf(hex)) - hueOf(colour))
      expect(Math.min(turned, 360 - turned)).toBeLessThan(15)
    }
  }
})

test('A2 the colour of a cover is that of its largest colourful part, not of its paper and ink', () => {
  const paper = Array.from({ length: 600 }, (): Colour => [250, 248, 240])
  const ink = Array.from({ length: 300 }, (): Colour => [10, 10, 12])
  const red = Array.from({ length: 60 }, (): Colour => [190, 40, 35])
  const blue = Array.from({ length: 20 }, (): Colour => [40, 60, 190])
  const tone = toneOf(picture([...paper, ...blue, ...ink, ...red]))
  expect(Math.abs(hueOf(colourOf(tone?.tone ?? '#000000')) - hueOf([190, 40, 35]))).toBeLessThan(5)
})

test('A3 covers without colour, and pixels that are not seen, have none', () => {
  const greys = Array.from({ length: 256 }, (_, value): Colour => [value, value, value])
  expect(toneOf(picture(greys))).toBeNull()
  expect(toneOf(picture([...greys, ...greys, [220, 30, 30]]))).toBeNull()
  expect(toneOf(Uint8Array.from([220, 30, 30, 0]))).toBeNull()
  expect(toneOf(new Uint8Array())).toBeNull()
})

test('A1 what a row keeps is what was found', () => {
  const tone = { tone: '#b0883d', onLight: '#7d5300', onDark: '#d1a557' }
  expect(unpackTone(packTone(tone))).toEqual(tone)
  expect([unpackTone(packTone(null)), unpackTone(null), unpackTone('damaged')]).toEqual([null, null, null])
})
