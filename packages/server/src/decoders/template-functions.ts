import type { HelperOptions } from 'handlebars'

/** The longest that a template may become. */
export const renderedMax = 100_000
const paddingMax = 1000

type Called = (this: unknown, ...given: unknown[]) => unknown

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'object' ? JSON.stringify(value) : ''
}

/** A text that was made longer than anything may become says no more. */
const bounded = (text: string): string => text.slice(0, renderedMax)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isThere = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== '' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0)

const lengthOf = (value: unknown): number => {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

const compare = (one: unknown, other: unknown): number | undefined => {
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0
  const [left, right] = [Number(one), Number(other)]
  return Number.isNaN(left) || Number.isNaN(right) ? undefined : left - right
}

const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other)
const holds = (where: unknown, what: unknown): boolean =>
  typeof where === 'string' ? where.includes(textOf(what)) : listOf(where).some((each) => isSame(each, what))

/** The helper works in a text and around a block: `{{#if (eq a b)}}` and `{{#eq a b}}` mean the same. */
const asCondition = (holdsFor: (...given: unknown[]) => boolean): Called =>
  function (...all) {
    const options = all.at(-1) as HelperOptions
    const isSo = holdsFor(...all.slice(0, -1))
    // Only a block has something to render.
    if (typeof options.fn !== 'function') return isSo
    return isSo ? options.fn(this) : options.inverse(this)
  }

const withoutOptions =
  (say: (...given: unknown[]) => unknown): Called =>
  (...all) =>
    say(...all.slice(0, -1))

const count = (value: unknown, fallback: number): number => {
  const number = Math.trunc(Number(value))
  return Number.isNaN(number) ? fallback : Math.max(0, Math.min(number, renderedMax))
}

const calculated = (left: unknown, operator: unknown, right: unknown): number | '' => {
  const [one, other] = [Number(left), Number(right)]
  const results: Readonly<Record<string, number>> = {
    '+': one + other,
    '-': one - other,
    '*': one * other,
    '/': one / other,
    '%': one % other,
  }
  const name = textOf(operator)
  const result = Object.hasOwn(results, name) ? results[name] : undefined
  return result === undefined || !Number.isFinite(result) ? '' : result
}

const months = 'January February March April May June July August September October November December'.split(' ')
const dateParts = /YYYY|YY|MMMM|MMM|MM|M|DD|D|HH|mm|ss/g

/** Dates are formatted in UTC, so that the result is the same on every server. */
const formatted = (value: unknown, pattern: unknown): string => {
  const date = typeof value === 'string' || typeof value === 'number' ? new Date(value) : undefined
  if (!date || Number.isNaN(date.getTime())) return textOf(value)
  const two = (number: number): string => String(number).padStart(2, '0')
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const parts: Readonly<Record<string, string>> = {
    YYYY: String(year),
    YY: two(year % 100),
    MMMM: months[month] ?? '',
    MMM: (months[month] ?? '').slice(0, 3),
    MM: two(month + 1),
    M: String(month + 1),
    DD: two(day),
    D: String(day),
    HH: two(date.getUTCHours()),
    mm: two(date.getUTCMinutes()),
    ss: two(date.getUTCSeconds()),
  }
  const format = typeof pattern === 'string' ? pattern.slice(0, 100) : 'YYYY-MM-DD'
  return format.replace(dateParts, (part) => parts[part] ?? part)
}

const replaced = (value: unknown, from: unknown, to: unknown): string => {
  const part = textOf(from)
  return part === ''
    ? textOf(value)
    : bounded(textOf(value).split(part, renderedMax).join(textOf(to).slice(0, paddingMax)))
}

const shortened = (value: unknown, length: unknown, ending: unknown): string => {
  const [text, max] = [textOf(value), count(length, 100)]
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}${typeof ending === 'string' ? ending : '…'}`
}

/** A template can use these besides `if`, `unless`, `each`, `with` and `lookup`. */
export const templateFunctions: Readonly<Record<string, Called>> = {
  lowercase: withoutOptions((value) => textOf(value).toLowerCase()),
  uppercase: withoutOptions((value) => textOf(value).toUpperCase()),
  capitalize: withoutOptions((value) => textOf(value).replace(/^./u, (first) => first.toUpperCase())),
  trim: withoutOptions((value) => textOf(value).trim()),
  truncate: withoutOptions(shortened),
  replace: withoutOptions(replaced),
  split: withoutOptions((value, separator) =>
    textOf(value).split(typeof separator === 'string' ? separator : ',', renderedMax),
  ),
  join: withoutOptions((list, separator) =>
    bounded(
      listOf(list)
        .map(textOf)
        .join(typeof separator === 'string' ? separator.slice(0, paddingMax) : ', '),
    ),
  ),
  urlencode: withoutOptions((value) => encodeURIComponent(textOf(value).toWellFormed())),
  padStart: withoutOptions((value, length, filler) =>
    textOf(value).padStart(Math.min(count(length, 0), paddingMax), typeof filler === 'string' ? filler : ' '),
  ),
  default: withoutOptions((value, fallback) => (isThere(value) ? value : fallback)),
  first: withoutOptions((value) => (typeof value === 'string' ? value.slice(0, 1) : listOf(value)[0])),
  length: withoutOptions(lengthOf),
  json: withoutOptions((value) => bounded(JSON.stringify(value ?? null, null, 2))),
  formatDate: withoutOptions(formatted),
  math: withoutOptions(calculated),
  exists: asCondition(isThere),
  eq: asCondition(isSame),
  ne: asCondition((one, other) => !isSame(one, other)),
  ifEquals: asCondition(isSame),
  ifNotEquals: asCondition((one, other) => !isSame(one, other)),
  gt: asCondition((one, other) => (compare(one, other) ?? 0) > 0),
  lt: asCondition((one, other) => (compare(one, other) ?? 0) < 0),
  and: asCondition((...values) => values.every(isThere)),
  or: asCondition((...values) => values.some(isThere)),
  includes: asCondition(holds),
  inArray: asCondition((value, list) => holds(list, value)),
  oneOf: asCondition((value, ...options) => options.some((option) => isSame(value, option))),
}
