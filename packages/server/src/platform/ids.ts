import { randomFillSync } from 'node:crypto'

const idBytes = 16
// The system is asked for many random bytes at once: that costs as much as for one id.
const pool = Buffer.alloc(idBytes * 256)
let poolUsed = pool.length
let lastMs = 0
let lastTime = ''
let sequence = 0

/**
 * A UUIDv7: time in milliseconds, then a counter, then chance. Ids made by one process sort in the order they were
 * made, also within a millisecond and when the clock steps back.
 */
export const newId = (now = Date.now()): string => {
  const random = nextRandom()
  if (now > lastMs) {
    step(now)
    sequence = (byte(random) << 3) | (byte(random + 1) >> 5)
  } else if (++sequence > 0xfff) {
    step(lastMs + 1)
    sequence = 0
  }
  const counter = `7${hex[sequence >> 8]?.charAt(1)}${hex[sequence & 0xff]}`
  const variant = `${hex[(byte(random + 8) & 0x3f) | 0x80]}${hexAt(random + 9)}`
  const rest = hexAt(random + 10) + hexAt(random + 11) + hexAt(random + 12) + hexAt(random + 13)
  return `${lastTime}-${counter}-${variant}-${rest}${hexAt(random + 14)}${hexAt(random + 15)}`
}

/** Each request has an id: what is the same for all of a millisecond is written once. */
const step = (ms: number): void => {
  lastMs = ms
  const time = ms.toString(16).padStart(12, '0')
  lastTime = `${time.slice(0, 8)}-${time.slice(8)}`
}

const hex = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'))
const byte = (position: number): number => pool[position] ?? 0
const hexAt = (position: number): string => hex[byte(position)] ?? ''

/** It returns where in the pool the next random bytes are. */
const nextRandom = (): number => {
  if (poolUsed >= pool.length) {
    randomFillSync(pool)
    poolUsed = 0
  }
  poolUsed += idBytes
  return poolUsed - idBytes
}
