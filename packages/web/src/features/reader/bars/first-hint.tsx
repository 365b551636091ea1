import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageLayout } from '../../../reader/page-layout.ts'
import styles from './first-hint.module.css'

const storageKey = 'carrel.reader-hint'

const wasSeen = (): boolean => {
  try {
    return localStorage.getItem(storageKey) === 'seen'
  } catch {
    return true
  }
}

interface FirstHintProps {
  readonly direction: PageLayout['direction']
  /** Pictures grow when they are tapped twice; text does not. */
  readonly zooms: boolean
}

/** The hint explains once per browser how to turn pages. Everything else stands behind `?`. */
export const FirstHint = ({ direction, zooms }: FirstHintProps): ReactNode => {
  const { t } = useTranslation('reader')
  const [isSeen, setSeen] = useState(wasSeen)
  if (isSeen) return null
  const putAway = (): void => {
    setSeen(true)
    try {
      localStorage.setItem(storageKey, 'seen')
    } catch {
      // When nothing can be stored, the hint is shown again the next time.
    }
  }
  return (
    <div className={styles.hint} role="note" aria-label={t('hint.title')}>
      <p className={styles.title}>{t('hint.title')}</p>
      <ul className={styles.list}>
        <li>{t(`hint.${direction}`)}</li>
        <li>{t(zooms ? 'hint.middle' : 'hint.middleOfText')}</li>
        <li>{t('hint.keys')}</li>
      </ul>
      <Button onClick={putAway}>{t('hint.done')}</Button>
    </div>
  )
}
