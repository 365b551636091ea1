import { randomFillSync } from 'node:crypto'

const idBytes = 16
// Asked of the system for many ids at once: that costs as much as for one.
const pool = Buffer.alloc(idBytes * 256)
let poolUsed = pool.length
let lastMs = 0
let sequence = 0

/**
 * A UUIDv7: time in milliseconds, then a counter, then chance. Ids made by one process sort in the order they were
 * made, also within a millisecond and when the clock steps back.
 */
export const newId = (now = Date.now()): string => {
  const random = nextRandom()
  if (now > lastMs) {
    lastMs = now
    sequence = ((random[0] ?? 0) << 3) | ((random[1] ?? 0) >> 5)
  } else if (++sequence > 0xfff) {
    lastMs += 1
    sequence = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const counter = sequence.toString(16).padStart(3, '0')
  const variant = (((random[8] ?? 0) & 0x3f) | 0x80).toString(16)
  const rest = random.toString('hex', 9)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variant}${rest.slice(0, 2)}-${rest.slice(2)}`
}

const nextRandom = (): Buffer => {
  if (poolUsed >= pool.length) {
    randomFillSync(pool)
    poolUsed = 0
  }
  poolUsed += idBytes
  return pool.subarray(poolUsed - idBytes, poolUsed)
}
