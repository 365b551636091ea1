import { deleteSeriesRating, readAverageRating, readSeriesRating, saveSeriesRating } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../api/queries.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { RatingStars } from '../../ui/form/rating-stars.tsx'

/** The user rates a series with a click, and withdraws the rating with another. */
export const SeriesRatingRow = ({ seriesId }: { readonly seriesId: string }): ReactNode => {
  const { t } = useTranslation('series')
  const params = { id: seriesId }
  const { data } = useLater(readSeriesRating, { params })
  const invalidates = [readSeriesRating, readAverageRating]
  const save = useChange(saveSeriesRating, { invalidates })
  const drop = useChange(deleteSeriesRating, { invalidates })
  const before = data?.rating
  const put = (rating: number | undefined): Promise<unknown> =>
    rating === undefined
      ? drop.mutateAsync({ params })
      : save.mutateAsync({ params, body: { rating, notes: data?.notes ?? null } })
  const rate = async (rating: number | undefined): Promise<void> => {
    await put(rating)
    toast({ text: t(rating === undefined ? 'ratingGone' : 'rated'), undo: () => void put(before) })
  }
  return <RatingStars label={t('yourRating')} rating={before} onRate={(rating) => void rate(rating)} />
}
