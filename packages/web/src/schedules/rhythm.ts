/** It says how often a library is scanned, in people's terms; `custom` is what only a cron pattern can say. */
export type Rhythm =
  | { readonly kind: 'hourly'; readonly minute: number }
  | { readonly kind: 'daily'; readonly minute: number; readonly hour: number }
  | { readonly kind: 'weekly'; readonly minute: number; readonly hour: number; readonly weekday: number }
  | { readonly kind: 'custom'; readonly cron: string }

const number = (field: string | undefined, max: number): number | undefined =>
  field !== undefined && /^\d{1,2}$/.test(field) && Number(field) <= max ? Number(field) : undefined

/** Simple patterns have words; all others stay as they are. */
export const rhythmOf = (cron: string): Rhythm => {
  const custom: Rhythm = { kind: 'custom', cron }
  const fields = cron.trim().split(/\s+/)
  const [minutes, hours, day, month, weekdays] = fields
  const minute = number(minutes, 59)
  if (fields.length !== 5 || minute === undefined || day !== '*' || month !== '*') return custom
  if (hours === '*') return weekdays === '*' ? { kind: 'hourly', minute } : custom
  const hour = number(hours, 23)
  if (hour === undefined) return custom
  if (weekdays === '*') return { kind: 'daily', minute, hour }
  const weekday = number(weekdays, 7)
  // Sunday is 0, and 7 as well.
  return weekday === undefined ? custom : { kind: 'weekly', minute, hour, weekday: weekday % 7 }
}

export const cronOf = (rhythm: Rhythm): string => {
  switch (rhythm.kind) {
    case 'hourly':
      return `${rhythm.minute} * * * *`
    case 'daily':
      return `${rhythm.minute} ${rhythm.hour} * * *`
    case 'weekly':
      return `${rhythm.minute} ${rhythm.hour} * * ${rhythm.weekday}`
    case 'custom':
      return rhythm.cron
  }
}

const two = (value: number): string => String(value).padStart(2, '0')

/** `04:05`, as a field for times has it. */
export const timeOf = ({ hour, minute }: { readonly hour: number; readonly minute: number }): string =>
  `${two(hour)}:${two(minute)}`

/** It parses such a field; undefined while it is not filled in. */
export const parseTime = (text: string): { hour: number; minute: number } | undefined => {
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(text) ?? []
  return hour === undefined || minute === undefined ? undefined : { hour: Number(hour), minute: Number(minute) }
}

/** The same rhythm, or another one at the same time of the day. */
export const asKind = (rhythm: Rhythm, kind: Rhythm['kind']): Rhythm => {
  const {
    minute = 0,
    hour = 4,
    weekday = 1,
  }: { minute?: number; hour?: number; weekday?: number } = rhythm.kind === 'custom' ? {} : rhythm
  switch (kind) {
    case 'hourly':
      return { kind, minute }
    case 'daily':
      return { kind, minute, hour }
    case 'weekly':
      return { kind, minute, hour, weekday }
    case 'custom':
      return { kind, cron: cronOf(rhythm) }
  }
}

/** The weekdays by name, from Monday on; Sunday is 0, as in a cron pattern. */
export const weekdaysIn = (
  language: string | undefined,
): readonly { readonly value: number; readonly name: string }[] => {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  // The 2nd of January 2023 was a Monday.
  return [1, 2, 3, 4, 5, 6, 0].map((value, index) => ({ value, name: format.format(Date.UTC(2023, 0, 2 + index)) }))
}
