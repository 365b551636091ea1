import { readPreferences, savePreference } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../../api/queries.ts'
import type { PageLayout } from '../../../reader/page-layout.ts'
import styles from './first-hint.module.css'

const preference = 'web.reader.hint'

export interface Hint {
  readonly isShown: boolean
  /** For this account, on every device. */
  readonly putAway: () => void
}

/** The hint is shown until somebody has turned a page for the first time, or says that they know. */
export const useHint = (): Hint => {
  const { data } = useLater(readPreferences, {})
  const save = useChange(savePreference, { invalidates: [readPreferences] })
  const isShown = data !== undefined && data.preferences[preference] === undefined && save.isIdle
  return {
    isShown,
    putAway: () => {
      if (isShown) save.mutate({ params: { key: preference }, body: { value: 'seen' } })
    },
  }
}

interface FirstHintProps {
  readonly hint: Hint
  readonly direction: PageLayout['direction']
  /** Pictures grow when they are tapped twice; text does not. */
  readonly zooms: boolean
}

/** How to turn pages. Everything else stands behind `?`. */
export const FirstHint = ({ hint, direction, zooms }: FirstHintProps): ReactNode => {
  const { t } = useTranslation('reader')
  if (!hint.isShown) return null
  return (
    <div className={styles.hint} role="note" aria-label={t('hint.title')}>
      <p className={styles.title}>{t('hint.title')}</p>
      <ul className={styles.list}>
        <li>{t(`hint.${direction}`)}</li>
        <li>{t(zooms ? 'hint.middle' : 'hint.middleOfText')}</li>
        <li className={styles.keys}>{t('hint.keys')}</li>
      </ul>
      <button type="button" className={styles.done} onClick={hint.putAway}>
        {t('hint.done')}
      </button>
    </div>
  )
}
