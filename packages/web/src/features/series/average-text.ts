import { readAverageRating } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'

/** What everybody gives it, unless that is one person. */
export const useAverageText = (id: string): string | null => {
  const { t } = useTranslation('series')
  const { data } = useLater(readAverageRating, { params: { id } })
  if (!data || data.count < 2 || data.average === null) return null
  return t('average', { value: Math.round(data.average) / 20, count: data.count })
}
