import { hash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const width = 200
const height = 300
const bandFrom = 228
const bandTo = 240

/** What a book without a cover shows: a plain board in a colour of its own, by its title. */
export const plainPicture = (title: string): Buffer => {
  const [first = 0, second = 0] = hash('sha1', title, 'buffer')
  const hue = Math.round((first / 256) * 360)
  const board = rgbOf(hue, 0.22 + (second / 256) * 0.2, 0.42)
  const band = rgbOf(hue, 0.25, 0.68)
  const rowLength = 1 + width
  const rows = Buffer.alloc(rowLength * height)
  rows.fill(1, rowLength * bandFrom, rowLength * bandTo)
  for (let row = 0; row < height; row += 1) rows[row * rowLength] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 3, 0, 0, 0])])),
    chunk('PLTE', Buffer.from([...board, ...band])),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const rgbOf = (hue: number, saturation: number, lightness: number): number[] =>
  [0, 8, 4].map((offset) => {
    const k = (offset + hue / 30) % 12
    const amplitude = saturation * Math.min(lightness, 1 - lightness)
    return Math.round(255 * (lightness - amplitude * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  })
