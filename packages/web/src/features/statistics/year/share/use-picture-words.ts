import type { ReadingYear } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useFigureText } from '../../figure-text.ts'
import { amountOf, isAtLeast } from '../../figures.ts'
import { monthsOf } from '../months.ts'
import type { PictureWords } from './picture.ts'

/** It says a year in the words of the picture. */
export const usePictureWords = (): ((year: ReadingYear) => PictureWords) => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  return (year) => {
    const { summary, activeDays, longestStreak } = year
    const { sure, estimated, isUnknown } = amountOf(summary, 'time', summary)
    const pages = amountOf(summary, 'pages', summary)
    const months = monthsOf(year)
    const facts = [
      { figure: text.number(summary.booksFinished), name: t('over.completions') },
      ...(pages.sure > 0 ? [{ figure: text.number(pages.sure), name: t('over.pages') }] : []),
      { figure: text.number(activeDays), name: t('picture.days') },
      ...(longestStreak.days > 1 ? [{ figure: text.number(longestStreak.days), name: t('longestStreak') }] : []),
    ]
    return {
      title: t('picture.title', { year: String(year.year) }),
      time: isUnknown ? t('sessions', { count: summary.sessions }) : text.time(sure + estimated),
      aboutTime: [
        isAtLeast('time', summary) && !isUnknown ? t('atLeast') : '',
        estimated > 0 ? t('estimated', { time: text.time(estimated) }) : '',
      ].filter((part) => part !== ''),
      facts,
      mostRead: t('year.series'),
      months: months.map(({ month }) => text.monthLetter(month)),
      amounts: months.map(({ figures }) =>
        figures === undefined ? { sure: 0, estimated: 0, isUnknown: false } : amountOf(figures, 'time', summary),
      ),
    }
  }
}
