import { deleteBookRating, readBookRating, saveBookRating } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../api/queries.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { RatingStars } from '../../ui/form/rating-stars.tsx'

/** The user rates a book with a click, and withdraws the rating with another. */
export const BookRatingRow = ({ bookId }: { readonly bookId: string }): ReactNode => {
  const { t } = useTranslation('books')
  const params = { id: bookId }
  const { data } = useLater(readBookRating, { params })
  const invalidates = [readBookRating]
  const save = useChange(saveBookRating, { invalidates })
  const drop = useChange(deleteBookRating, { invalidates })
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
