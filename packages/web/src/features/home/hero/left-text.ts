import { useTranslation } from 'react-i18next'
import { dateFormat, numberFormat, relativeTime } from '../../../text/formats.ts'

/** How long something takes, as people say it: minutes up to an hour and a half, and half hours from there on. */
export const useSpanText = (): ((ms: number) => string) => {
  const { i18n } = useTranslation()
  return (ms) => {
    const minutes = Math.max(1, Math.round(ms / 60_000))
    const [value, unit] = minutes < 90 ? [minutes, 'minute'] : [Math.round(minutes / 30) / 2, 'hour']
    const options = { style: 'unit', unit, unitDisplay: 'short' } as const
    return numberFormat(i18n.resolvedLanguage, options).format(value)
  }
}

const dayMs = 86_400_000

/** `yesterday at 22:41`, `12 November at 22:41`. */
export const useDayAndTime = (): ((timestamp: string) => string) => {
  const { t, i18n } = useTranslation('home')
  const language = i18n.resolvedLanguage
  return (timestamp) => {
    const at = new Date(timestamp)
    const days = Math.round((startOfDay(new Date()) - startOfDay(at)) / dayMs)
    const day =
      days >= 0 && days < 2
        ? relativeTime(language).format(-days, 'day')
        : dateFormat(language, { day: 'numeric', month: 'long' }).format(at)
    return t('dayAndTime', { day, time: dateFormat(language, { timeStyle: 'short' }).format(at) })
  }
}

const startOfDay = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
