import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './skeleton.module.css'

/** A grey shape of the size of what is to come, so that nothing moves when it does. */
const Shape = ({ kind }: { readonly kind: 'title' | 'line' | 'cover' }): ReactNode => (
  <div className={styles.shape} data-kind={kind} />
)

/** While a page of covers is on its way. */
export const CoverGridSkeleton = ({ count = 18 }: { readonly count?: number }): ReactNode => {
  const { t } = useTranslation()
  return (
    <div aria-busy="true" aria-label={t('loading')} role="status" className={styles.grid}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={styles.card}>
          <Shape kind="cover" />
          <Shape kind="line" />
        </div>
      ))}
    </div>
  )
}

/** While shelves are on their way: of the size of what will stand there. */
export const ShelvesSkeleton = ({ shelves = 3 }: { readonly shelves?: number }): ReactNode => {
  const { t } = useTranslation()
  return (
    <div aria-busy="true" aria-label={t('loading')} role="status" className={styles.shelves}>
      <Shape kind="title" />
      {Array.from({ length: shelves }, (_, shelf) => (
        <div key={shelf} className={styles.shelf}>
          <Shape kind="title" />
          <div className={styles.row}>
            {Array.from({ length: 12 }, (_, index) => (
              <div key={index} className={styles.card}>
                <Shape kind="cover" />
                <Shape kind="line" />
                <Shape kind="line" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

/** While a page of any other kind is on its way. */
export const PageSkeleton = (): ReactNode => {
  const { t } = useTranslation()
  return (
    <div aria-busy="true" aria-label={t('loading')} role="status" className={styles.lines}>
      <Shape kind="title" />
      <Shape kind="line" />
      <Shape kind="line" />
      <Shape kind="line" />
    </div>
  )
}
