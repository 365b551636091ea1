import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './next-mark.module.css'

interface NextMarkProps {
  readonly isNext: boolean
  readonly children: ReactNode
}

/** It marks what comes next in a list. */
export const NextMark = ({ isNext, children }: NextMarkProps): ReactNode => {
  const { t } = useTranslation('lists')
  if (!isNext) return children
  return (
    <div className={styles.next}>
      {children}
      <span className={styles.word}>{t('named.next')}</span>
    </div>
  )
}
