import type { CoverTone } from '@carrel/api'

type Triple = readonly [number, number, number]

/** The least friendly grounds of each theme: its sunken surface, and a wash of the colour itself. */
const lightGrounds: readonly Triple[] = [
  [236, 236, 232],
  [255, 255, 255],
]
const darkGrounds: readonly Triple[] = [
  [52, 56, 54],
  [23, 25, 24],
]
/** WCAG asks for 4.5; what rounding to bytes takes is added. */
const contrastMin = 4.6

const binCount = 36
/** Greys, ink and paper have no hue that anybody sees. */
const faintest = 0.03
const [darkest, lightest] = [0.15, 0.96]
/** A cover with less colour than this, for each of its pixels, is taken for grey. */
const leastColour = 0.004

/** `pixels` are bytes of RGBA. Null: the cover has no colour. */
export const toneOf = (pixels: Uint8Array): CoverTone | null => {
  const colour = strongestColour(pixels)
  if (!colour) return null
  const [lightness, a, b] = colour
  const chroma = Math.hypot(a, b)
  const hue = Math.atan2(b, a)
  const light = { start: 0.56, step: -0.01, chroma: clamp(chroma * 1.35, 0.05, 0.15), hue }
  const dark = { start: 0.74, step: 0.01, chroma: clamp(chroma * 1.2, 0.045, 0.12), hue }
  return {
    tone: toHex(nearestColour(clamp(lightness, 0.38, 0.72), chroma, hue)),
    onLight: toHex(legibleColour(light, lightGrounds) ?? [0, 0, 0]),
    onDark: toHex(legibleColour(dark, darkGrounds) ?? [255, 255, 255]),
  }
}

interface Bin {
  weight: number
  lightness: number
  a: number
  b: number
}

/** In OKLab: the mean of the three neighbouring hues that hold most of the colour. */
const strongestColour = (pixels: Uint8Array): Triple | undefined => {
  const { bins, seen } = binsOf(pixels)
  const around = (index: number): Bin =>
    addBins([index - 1, index, (index + 1) % binCount].map((each) => bins.at(each)))
  const best = bins
    .map((_, index) => around(index))
    .reduce((before, each) => (each.weight > before.weight ? each : before))
  if (best.weight === 0 || best.weight < seen * leastColour) return undefined
  return [best.lightness / best.weight, best.a / best.weight, best.b / best.weight]
}

const binsOf = (pixels: Uint8Array): { readonly bins: readonly Bin[]; readonly seen: number } => {
  const bins = Array.from({ length: binCount }, (): Bin => ({ weight: 0, lightness: 0, a: 0, b: 0 }))
  let seen = 0
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = [pixels[at], pixels[at + 1], pixels[at + 2], pixels[at + 3]]
    if (alpha < 128) continue
    seen += 1
    const [lightness, a, b] = toOklab([red, green, blue])
    const chroma = Math.hypot(a, b)
    if (chroma < faintest || lightness < darkest || lightness > lightest) continue
    const turn = (Math.atan2(b, a) + Math.PI) / (2 * Math.PI)
    const bin = bins[Math.min(binCount - 1, Math.floor(turn * binCount))]
    if (!bin) continue
    const weight = chroma * (1 - 0.9 * Math.abs(lightness - 0.6))
    bin.weight += weight
    bin.lightness += weight * lightness
    bin.a += weight * a
    bin.b += weight * b
  }
  return { bins, seen }
}

const addBins = (bins: readonly (Bin | undefined)[]): Bin => {
  const sum = { weight: 0, lightness: 0, a: 0, b: 0 }
  for (const bin of bins) {
    if (!bin) continue
    sum.weight += bin.weight
    sum.lightness += bin.lightness
    sum.a += bin.a
    sum.b += bin.b
  }
  return sum
}

interface Search {
  readonly start: number
  readonly step: number
  readonly chroma: number
  readonly hue: number
}

/** The first lightness, from `start` on, whose contrast is enough on all of these grounds. */
const legibleColour = ({ start, step, chroma, hue }: Search, grounds: readonly Triple[]): Triple | undefined => {
  for (let lightness = start; lightness > 0.05 && lightness < 0.99; lightness += step) {
    const colour = nearestColour(lightness, chroma, hue)
    if (grounds.every((ground) => contrastOf(colour, ground) >= contrastMin)) return colour
  }
  return undefined
}

/** Where sRGB has no such colour, chroma gives way: hue and lightness are what people know a cover by. */
const nearestColour = (lightness: number, chroma: number, hue: number): Triple => {
  for (let less = chroma; ; less -= 0.005) {
    const rest = Math.max(less, 0)
    const linear = toLinear([lightness, rest * Math.cos(hue), rest * Math.sin(hue)])
    if (rest === 0 || linear.every((value) => value >= 0 && value <= 1)) return toBytes(linear)
  }
}

const toLuminance = ([red, green, blue]: Triple): number =>
  0.2126 * linearOf(red) + 0.7152 * linearOf(green) + 0.0722 * linearOf(blue)

export const contrastOf = (one: Triple, other: Triple): number => {
  const [first, second] = [toLuminance(one), toLuminance(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

const linearValues = Float64Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})
const linearOf = (byte: number): number => linearValues[byte] ?? 0

const toBytes = ([red, green, blue]: Triple): Triple => [toByte(red), toByte(green), toByte(blue)]
const toByte = (linear: number): number => {
  const value = clamp(linear, 0, 1)
  return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055))
}

// The matrices of OKLab, as its author has published them.

export const toOklab = ([red, green, blue]: Triple): Triple => {
  const [r, g, b] = [linearOf(red), linearOf(green), linearOf(blue)]
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const middle = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ]
}

const toLinear = ([lightness, a, b]: Triple): Triple => {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ]
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

const toHex = (colour: Triple): string => `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`

// How a row keeps it: null is not worked out yet, the empty text is a cover without colour.

export const packTone = (tone: CoverTone | null): string => (tone ? `${tone.tone}${tone.onLight}${tone.onDark}` : '')

export const unpackTone = (packed: string | null): CoverTone | null => {
  const [tone, onLight, onDark] = packed?.match(/#[0-9a-f]{6}/g) ?? []
  return tone && onLight && onDark ? { tone, onLight, onDark } : null
}
