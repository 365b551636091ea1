import type { MatchCandidate } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useValueText } from '../../metadata/value-text.ts'

const degrees = [
  ['certain', 0.95],
  ['quite', 0.8],
  ['fairly', 0.6],
  ['unsure', 0.35],
  ['guess', 0],
] as const

/** It puts confidence and candidates into words. */
export const useMatchText = () => {
  const { t, i18n } = useTranslation('matching')
  const valueText = useValueText()
  const percent = (share: number): string =>
    new Intl.NumberFormat(i18n.resolvedLanguage, { style: 'percent', maximumFractionDigits: 0 }).format(share)
  const sure = (share: number): string => {
    const [word] = degrees.find(([, least]) => share >= least) ?? degrees[4]
    return t(`sure.${word}`, { percent: percent(share) })
  }
  /** `2003 · Kiyohiko Azuma · 15 books`. */
  const details = ({ year, preview }: MatchCandidate): string => {
    const { authors = [], format = null, bookCount = null, status = null } = preview ?? {}
    const few = authors.slice(0, authorsShown).join(', ')
    const parts = [
      year === null ? null : String(year),
      authors.length > authorsShown ? t('andOthers', { names: few }) : few,
      format,
      bookCount === null ? null : t('books', { count: bookCount }),
      status === null ? null : valueText('status', status),
    ]
    return parts.filter((part) => part !== null && part !== '').join(' · ')
  }
  return { percent, sure, details }
}

const authorsShown = 3
