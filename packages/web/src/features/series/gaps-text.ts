import { type Gaps, readSeriesGaps } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'

/** More are not listed: the line stays a line. */
const rangesMax = 10

/** It names what is not there: `7 and 12–14 are not here · 24 of 30`; nothing where nothing is missing. */
export const useGapsText = (id: string): string => {
  const { t, i18n } = useTranslation('series')
  const { data } = useLater(readSeriesGaps, { params: { id } })
  const number = new Intl.NumberFormat(i18n.resolvedLanguage, { useGrouping: false })
  const list = new Intl.ListFormat(i18n.resolvedLanguage, { type: 'conjunction' })
  const say = (which: 'volumes' | 'numbers', gaps: Gaps | null | undefined): string | undefined => {
    if (!gaps || gaps.missing.length === 0) return undefined
    const named = gaps.missing.slice(0, rangesMax)
    const others = countOf(gaps.missing.slice(rangesMax))
    const ranges = named.map(({ from, to }) =>
      from === to ? number.format(from) : `${number.format(from)}–${number.format(to)}`,
    )
    const missing = list.format(others === 0 ? ranges : [...ranges, t('gaps.more', { count: others })])
    const { owned, of } = gaps
    return t(`gaps.${which}`, { count: countOf(gaps.missing), missing, owned, of })
  }
  return [say('volumes', data?.volumes), say('numbers', data?.numbers)].filter(Boolean).join(' · ')
}

const countOf = (ranges: Gaps['missing']): number => ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)
