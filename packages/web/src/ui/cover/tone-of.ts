import type { Tone } from './toned.ts'

/** A server that is older than this app tells no colour. */
export const toneOf = (item: object): Tone | null => ('tone' in item ? (item.tone as Tone | null) : null)
