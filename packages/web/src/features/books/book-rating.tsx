import { deleteBookRating, readBookRating, saveBookRating } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { useSayFailure } from '../../text/say-failure.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { RatingStars } from '../../ui/form/rating-stars.tsx'

/** The user rates a book with a click, and withdraws the rating with another. */
export const BookRatingRow = ({ bookId }: { readonly bookId: string }): ReactNode => {
  const { t } = useTranslation('books')
  const params = { id: bookId }
  const { data } = useLater(readBookRating, { params }, { enabled: useMay('progress:read') })
  const options = { invalidates: [readBookRating], onError: useSayFailure() }
  const save = useChange(saveBookRating, options)
  const drop = useChange(deleteBookRating, options)
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
