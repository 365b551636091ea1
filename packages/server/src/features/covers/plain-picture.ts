import { hash } from 'node:crypto'

/** The size is given in blocks of eight by eight pixels, of which a JPEG consists. */
const across = 25
const down = 38
const width = 200
const height = 300
const bandFrom = 28
const bandTo = 30

/**
 * A book without a cover shows this: a plain board in a colour that depends on its title. It is a JPEG like every other
 * cover, because applications are told the type before the cover is known; each of its blocks has one colour, so there
 * is little to write.
 */
export const plainPicture = (title: string): Buffer => {
  const [first = 0, second = 0] = hash('sha1', title, 'buffer')
  const hue = Math.round((first / 256) * 360)
  const board = levelsOf(rgbOf(hue, 0.22 + (second / 256) * 0.2, 0.42))
  const band = levelsOf(rgbOf(hue, 0.25, 0.68))
  const blocks = Array.from({ length: across * down }, (_, index) => {
    const row = Math.floor(index / across)
    return row >= bandFrom && row < bandTo ? band : board
  })
  return Buffer.concat([head, scanOf(blocks), Buffer.from('ffd9', 'hex')])
}

type Triple = readonly [number, number, number]

const rgbOf = (hue: number, saturation: number, lightness: number): Triple => {
  const part = (offset: number): number => {
    const k = (offset + hue / 30) % 12
    const amplitude = saturation * Math.min(lightness, 1 - lightness)
    return Math.round(255 * (lightness - amplitude * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [part(0), part(8), part(4)]
}

/** Brightness and the two colours of JFIF, as the first coefficient of a block says them. */
const levelsOf = ([r, g, b]: Triple): Triple => [
  Math.round(8 * (0.299 * r + 0.587 * g + 0.114 * b - 128)),
  Math.round(8 * (-0.1687 * r - 0.3313 * g + 0.5 * b)),
  Math.round(8 * (0.5 * r - 0.4187 * g - 0.0813 * b)),
]

const segment = (marker: number, data: readonly number[]): Buffer =>
  Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data])

const sizes = Array.from({ length: 12 }, (_, size) => size)
/** It counts the codes of one bit, of two, and so on to sixteen. */
const lengths = (given: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: 16 }, (_, index) => given[index + 1] ?? 0)

const head = Buffer.concat([
  Buffer.from('ffd8', 'hex'),
  segment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
  // Nothing is rounded.
  segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
  segment(0xc0, [8, height >> 8, height & 0xff, width >> 8, width & 0xff, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]),
  // A block that is as the one before it takes one bit; and one more says that there is no more of it.
  segment(0xc4, [0x00, ...lengths({ 1: 1, 5: 11 }), ...sizes]),
  segment(0xc4, [0x10, ...lengths({ 1: 1 }), 0]),
  segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
])

/** The code of how many bits a difference takes, as the first table has it. */
const codeOf = (size: number): string => (size === 0 ? '0' : (0b10000 + size - 1).toString(2))

const scanOf = (blocks: readonly Triple[]): Buffer => {
  const before = [0, 0, 0]
  const bits = blocks.map((levels) =>
    levels
      .map((level, part) => {
        const difference = level - (before[part] ?? 0)
        before[part] = level
        return `${differenceOf(difference)}0`
      })
      .join(''),
  )
  const text = bits.join('')
  const padded = text.padEnd(Math.ceil(text.length / 8) * 8, '1')
  const bytes = padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []
  // A following zero tells such a byte from a marker.
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))
}

const differenceOf = (difference: number): string => {
  if (difference === 0) return codeOf(0)
  const plain = Math.abs(difference).toString(2)
  const bits = difference > 0 ? plain : plain.replaceAll(/[01]/g, (bit) => (bit === '0' ? '1' : '0'))
  return codeOf(plain.length) + bits
}
