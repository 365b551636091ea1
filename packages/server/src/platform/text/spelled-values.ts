// Numbers and truth values that arrive as text

/**
 * Digits, and nothing else that could be taken for a number somewhere. Any whole number is a page number, however long;
 * what is more than can be told exactly is simply very far behind the end.
 */
export const wholeIn = (text: string): number | undefined =>
  /^-?\d+$/.test(text) ? within(Number.MAX_SAFE_INTEGER, Number(text)) : undefined

export const numberIn = (text: string): number | undefined =>
  /^-?\d+(\.\d+)?$/.test(text) ? within(Number.MAX_VALUE, Number(text)) : undefined

export const truthIn = (text: string): boolean | undefined =>
  text === 'true' || text === 'false' ? text === 'true' : undefined

const within = (most: number, number: number): number => Math.max(-most, Math.min(most, number))

const day = /^\d{4}-\d{2}-\d{2}$/

/** A day that is in the calendar: `Date.parse` takes 30 February for 2 March. */
export const isDay = (text: string): boolean => {
  const at = day.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** In milliseconds; NaN where it is no moment, or begins with a day that is none. */
export const momentIn = (text: string): number => {
  const [date] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? []
  return date !== undefined && !isDay(date) ? Number.NaN : Date.parse(text)
}
