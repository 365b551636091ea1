/** `2026-11-22`, in whatever time zone it is meant. */
export type Day = string

const dayMs = 86_400_000

/** Days since 1970. */
export const numberOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`) / dayMs
export const dayOf = (number: number): Day => new Date(number * dayMs).toISOString().slice(0, 10)
export const daysAfter = (day: Day, count: number): Day => dayOf(numberOf(day) + count)

/** Monday is 0, Sunday is 6. */
export const weekdayOf = (day: Day): number => (numberOf(day) + 3) % 7
export const mondayOf = (day: Day): Day => daysAfter(day, -weekdayOf(day))
export const yearOf = (day: Day): number => Number(day.slice(0, 4))

/** The day depends on the time zone. */
export const dayIn = (timeZone: string, at: Date): Day => {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(at)
  const part = (name: string): string => parts.find(({ type }) => type === name)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}
