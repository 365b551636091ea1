import { deleteSeriesRating, readAverageRating, readSeriesRating, saveSeriesRating } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { useSayFailure } from '../../text/say-failure.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { RatingStars } from '../../ui/form/rating-stars.tsx'

/** The user rates a series with a click, and withdraws the rating with another. */
export const SeriesRatingRow = ({ seriesId }: { readonly seriesId: string }): ReactNode => {
  const { t } = useTranslation('series')
  const params = { id: seriesId }
  const { data } = useLater(readSeriesRating, { params }, { enabled: useMay('progress:read') })
  const options = { invalidates: [readSeriesRating, readAverageRating], onError: useSayFailure() }
  const save = useChange(saveSeriesRating, options)
  const drop = useChange(deleteSeriesRating, options)
  const mayWrite = useMay('progress:write')
  const before = data?.rating
  const put = (rating: number | undefined, onSuccess?: () => void): void =>
    rating === undefined
      ? drop.mutate({ params }, { ...(onSuccess && { onSuccess }) })
      : save.mutate({ params, body: { rating, notes: data?.notes ?? null } }, { ...(onSuccess && { onSuccess }) })
  const rate = (rating: number | undefined): void =>
    put(rating, () => toast({ text: t(rating === undefined ? 'ratingGone' : 'rated'), undo: () => put(before) }))
  if (!mayWrite) return null
  return <RatingStars label={t('yourRating')} rating={before} onRate={rate} />
}
