import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../icon.tsx'
import { Center, Row } from '../layout/layout.tsx'
import styles from './rating-stars.module.css'

interface RatingStarsProps {
  readonly label: string
  /** Ratings run from 1 to 100. */
  readonly rating: number | undefined
  /** An undefined rating withdraws the rating. */
  readonly onRate: (rating: number | undefined) => void
}

const stars = [1, 2, 3, 4, 5] as const
const perStar = 20

/** Five stars; the one that is chosen already takes the rating back. */
export const RatingStars = ({ label, rating, onRate }: RatingStarsProps): ReactNode => {
  const { t } = useTranslation()
  const name = useId()
  const chosen = rating === undefined ? 0 : Math.max(1, Math.round(rating / perStar))
  return (
    <Row as="span" inline align="stretch" role="group" aria-label={label}>
      {stars.map((star) => (
        <Center as="label" key={star} className={styles.star} data-is-on={star <= chosen}>
          <input
            type="checkbox"
            name={name}
            className={styles.input}
            aria-label={t('stars', { count: star })}
            checked={star === chosen}
            onChange={() => onRate(star === chosen ? undefined : star * perStar)}
          />
          <Icon name="star" />
        </Center>
      ))}
    </Row>
  )
}
