import type { ReadingStatsGranularity } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import type { Amount, Figures } from './figures.ts'
import type { Measure } from './search.ts'
import type { Day } from './days.ts'

const minute = 60_000

/** It puts figures into words, in the language of the user. */
export const useFigureText = () => {
  const { t, i18n } = useTranslation('statistics')
  const language = i18n.resolvedLanguage ?? 'en'
  const unit = (value: number, name: 'hour' | 'minute'): string =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value)
  const number = (value: number): string => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value)
  const time = (ms: number): string => {
    if (ms > 0 && ms < minute) return t('lessThan', { time: unit(1, 'minute') })
    const minutes = Math.round(ms / minute)
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
    if (hours === 0) return unit(rest, 'minute')
    return rest === 0 ? unit(hours, 'hour') : `${unit(hours, 'hour')} ${unit(rest, 'minute')}`
  }
  const value = (measure: Measure, of: number): string => (measure === 'time' ? time(of) : number(of))
  const format = (options: Intl.DateTimeFormatOptions) => {
    const dates = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
    return (day: Day): string => dates.format(new Date(`${day}T12:00:00Z`))
  }
  const day = format({ dateStyle: 'medium' })
  const amount = (measure: Measure, { sure, estimated, isUnknown }: Amount): string => {
    if (isUnknown) return t('unknown')
    const all = value(measure, sure + estimated)
    if (estimated === 0) return all
    return sure === 0 ? t('allEstimated', { all }) : t('partEstimated', { all, part: value(measure, estimated) })
  }
  return {
    number,
    time,
    value,
    amount,
    day,
    month: format({ month: 'short' }),
    weekday: format({ weekday: 'short' }),
    weekdayLetter: format({ weekday: 'narrow' }),
    monthName: format({ month: 'long' }),
    monthLetter: format({ month: 'narrow' }),
    longDay: format({ day: 'numeric', month: 'long' }),
    bucket: (bucket: Day, granularity: ReadingStatsGranularity): string =>
      granularity === 'day'
        ? day(bucket)
        : granularity === 'week'
          ? t('weekOf', { day: day(bucket) })
          : format({ month: 'long', year: 'numeric' })(bucket),
    all: ({ pagesRead, sessions, booksFinished }: Figures): string =>
      [
        pagesRead > 0 ? t('pages', { count: pagesRead }) : '',
        t('sessions', { count: sessions }),
        booksFinished > 0 ? t('finished', { count: booksFinished }) : '',
      ]
        .filter((part) => part !== '')
        .join(' · '),
  }
}
