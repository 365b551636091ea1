import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Row } from '../../ui/layout/layout.tsx'
import styles from './next-mark.module.css'

interface NextMarkProps {
  readonly isNext: boolean
  /** On a card it lies over the cover; in a line it stands behind the words. */
  readonly on: 'card' | 'line'
  readonly children: ReactNode
}

/** It marks what comes next for whoever reads a list. */
export const NextMark = ({ isNext, on, children }: NextMarkProps): ReactNode => {
  const { t } = useTranslation('lists')
  if (!isNext) return children
  return (
    <Row gap={2} grow className={styles.next} data-on={on}>
      <div className={styles.marked}>{children}</div>
      <span className={styles.word}>{t('named.next')}</span>
    </Row>
  )
}
