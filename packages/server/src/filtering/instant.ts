import { momentIn } from '../platform/text/spelled-values.ts'

const form = /^\d{4}-\d{2}-\d{2}(?:[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2}))?$/

const read = (text: string): number => momentIn(text.toUpperCase())

/** A date and time with its distance from UTC, or a date: midnight in UTC. */
export const isInstant = (text: string): boolean => form.test(text) && !Number.isNaN(read(text))

const earliest = Date.parse('0000-01-01T00:00:00.000Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/** The tables write times like this, so that text compares as time does. */
export const instant = (text: string): string =>
  new Date(Math.min(latest, Math.max(earliest, read(text)))).toISOString()
