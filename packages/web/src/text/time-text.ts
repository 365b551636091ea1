import { useTranslation } from 'react-i18next'
import { dateFormat, numberFormat, relativeTime } from './formats.ts'

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

interface TimeText {
  /** `3 days ago`, `just now`. */
  readonly ago: (timestamp: string) => string
  /** `21 November 2026`. */
  readonly day: (timestamp: string) => string
  /** `21 Nov 2026, 10:00`. */
  readonly moment: (timestamp: string) => string
  /** `40 ms`, `12 sec`, `3 min`: in the unit that suits it. */
  readonly span: (ms: number) => string
}

const spans = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
  ['millisecond', 0],
] as const

/** Times in the language of whoever reads them. */
export const useTimeText = (): TimeText => {
  const { i18n } = useTranslation()
  const language = i18n.resolvedLanguage ?? 'en'
  const relative = relativeTime(language)
  const date = dateFormat(language, { dateStyle: 'long' })
  const dateAndTime = dateFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return {
    ago: (timestamp) => {
      const seconds = (Date.now() - Date.parse(timestamp)) / 1000
      const [unit, length] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', Infinity]
      return relative.format(unit === 'second' ? 0 : -Math.round(seconds / length), unit)
    },
    day: (timestamp) => date.format(new Date(timestamp)),
    moment: (timestamp) => dateAndTime.format(new Date(timestamp)),
    span: (ms) => {
      const [unit, length] = spans.find(([, each]) => ms >= each) ?? ['millisecond', 0]
      const value = length === 0 ? ms : ms / length
      const options = {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: value < 10 && length > 0 ? 1 : 0,
      }
      return numberFormat(language, options as Intl.NumberFormatOptions).format(value)
    },
  }
}
