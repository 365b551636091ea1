import { useTranslation } from 'react-i18next'

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
}

/** Times in the language of whoever reads them. */
export const useTimeText = (): TimeText => {
  const { i18n } = useTranslation()
  const language = i18n.resolvedLanguage ?? 'en'
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long' })
  return {
    ago: (timestamp) => {
      const seconds = (Date.now() - Date.parse(timestamp)) / 1000
      const [unit, length] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', Infinity]
      return relative.format(unit === 'second' ? 0 : -Math.round(seconds / length), unit)
    },
    day: (timestamp) => date.format(new Date(timestamp)),
  }
}
