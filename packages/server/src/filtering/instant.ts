import { momentIn } from '../platform/text/spelled-values.ts'

const form = /^\d{4}-\d{2}-\d{2}(?:[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2}))?$/

/** A date and time with its distance from UTC, or a date: midnight in UTC. */
export const isInstant = (text: string): boolean => form.test(text) && !Number.isNaN(momentIn(text.toUpperCase()))

const earliest = Date.parse('0000-01-01T00:00:00.000Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The tables write times like this, so that text compares as time does. What is stored may name a day that was taken for
 * another one once.
 */
export const instant = (text: string): string =>
  new Date(Math.min(latest, Math.max(earliest, Date.parse(text.toUpperCase())))).toISOString()
