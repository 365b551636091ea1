import type { RecommendationDto } from '@carrel/api'
import { useTranslation } from 'react-i18next'

const genresMax = 5

/** One line describes a recommendation, another one says what it is based on. */
export const useRecommendationText = () => {
  const { t, i18n } = useTranslation('recommendations')
  const list = new Intl.ListFormat(i18n.resolvedLanguage, { type: 'conjunction' })
  const statusOf = (status: RecommendationDto['status']): string | null => {
    if (status === 'ongoing') return t('ongoing')
    if (status === 'ended') return t('ended')
    if (status === 'hiatus') return t('hiatus')
    return status === 'abandoned' ? t('abandoned') : null
  }
  return {
    details: ({ startYear, status, genres, totalVolumeCount, rating }: RecommendationDto): string =>
      [
        startYear === null ? null : String(startYear),
        statusOf(status),
        totalVolumeCount === null ? null : t('volumes', { count: totalVolumeCount }),
        rating === null ? null : t('rated', { rating }),
        genres.length === 0 ? null : genres.slice(0, genresMax).join(', '),
      ]
        .filter((detail) => detail !== null)
        .join(' · '),
    availability: ({ serviceSeriesId, inLibrary }: RecommendationDto): string => {
      if (serviceSeriesId !== null) return t('here')
      return t(inLibrary ? 'yours' : 'elsewhere')
    },
    /** These are the series that the reason does not name. */
    alsoBasedOn: ({ basedOn, reason }: RecommendationDto): string =>
      list.format(basedOn.filter((title) => !reason.includes(title))),
  }
}
