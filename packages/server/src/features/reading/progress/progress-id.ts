import { BoundedMap } from '../../../platform/memory/bounded-map.ts'
import { sha256 } from '../../../platform/secrets/tokens.ts'

/** Pages are mostly turned in few books. */
const cachedIds = new BoundedMap<string>(1000)

/** A position is no record of its own: its id comes from whose it is and in which book, and is the same for ever. */
export const progressIdOf = (userId: string, bookId: string): string => {
  const key = `${userId} ${bookId}`
  const cached = cachedIds.get(key)
  if (cached !== undefined) return cached
  const id = madeFrom(userId, bookId)
  cachedIds.set(key, id)
  return id
}

const madeFrom = (userId: string, bookId: string): string => {
  const digits = sha256(`read progress ${userId} ${bookId}`)
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}
