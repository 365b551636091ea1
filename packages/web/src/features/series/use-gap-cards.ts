import { type Gaps, readSeriesGaps } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import type { GapCard } from '../../lists/pages/gap-cards.ts'

/** What is missing of a series, each gap with its place among the books and what it is called. */
export const useGapCards = (id: string): readonly GapCard[] => {
  const { t, i18n } = useTranslation('series')
  const { data } = useLater(readSeriesGaps, { params: { id } })
  const number = new Intl.NumberFormat(i18n.resolvedLanguage, { useGrouping: false })
  const cards = (kind: 'volumes' | 'numbers', gaps: Gaps | null | undefined): GapCard[] =>
    (gaps?.missing ?? []).flatMap(({ from, to, at }) => {
      if (at === undefined) return []
      const range = from === to ? number.format(from) : `${number.format(from)}–${number.format(to)}`
      const label = t(`gap.${kind}`, { count: to - from + 1, range })
      return [{ key: `${kind} ${from}`, at, number: range, label }]
    })
  return [...cards('volumes', data?.volumes), ...cards('numbers', data?.numbers)].toSorted(
    (one, other) => one.at - other.at,
  )
}
