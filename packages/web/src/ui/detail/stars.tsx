import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './stars.module.css'

const stars = [1, 2, 3, 4, 5] as const

/** How it is rated, from 0 to 5, to be seen and not to be changed. */
export const Stars = ({ value, label }: { readonly value: number; readonly label: string }): ReactNode => {
  const { i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.resolvedLanguage, { maximumFractionDigits: 1 }).format(value)
  return (
    <span role="img" aria-label={`${label}: ${number}`} title={`${label}: ${number}`} className={styles.stars}>
      {stars.map((star) => (
        <span key={star} data-is-on={star <= Math.round(value)}>
          ★
        </span>
      ))}
    </span>
  )
}
