import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Look } from '../../reader/look.ts'
import styles from './first-hint.module.css'

const storageKey = 'carrel.reader-hint'

const wasSeen = (): boolean => {
  try {
    return localStorage.getItem(storageKey) === 'seen'
  } catch {
    return true
  }
}

/** Once in each browser: how one turns pages. Everything else stands behind `?`. */
export const FirstHint = ({ look }: { readonly look: Pick<Look, 'direction'> }): ReactNode => {
  const { t } = useTranslation('reader')
  const [isSeen, setSeen] = useState(wasSeen)
  if (isSeen) return null
  const putAway = (): void => {
    setSeen(true)
    try {
      localStorage.setItem(storageKey, 'seen')
    } catch {
      // Then it is shown again the next time.
    }
  }
  return (
    <div className={styles.hint} role="note" aria-label={t('hint.title')}>
      <p className={styles.title}>{t('hint.title')}</p>
      <ul className={styles.list}>
        <li>{t(`hint.${look.direction}`)}</li>
        <li>{t('hint.middle')}</li>
        <li>{t('hint.keys')}</li>
      </ul>
      <Button onClick={putAway}>{t('hint.done')}</Button>
    </div>
  )
}
