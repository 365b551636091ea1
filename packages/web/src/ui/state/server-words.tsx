import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Copyable } from '../form/copyable.tsx'
import styles from './server-words.module.css'

/** What the server or a file's reader said, in English: for whoever asks about it elsewhere. The page has said it already. */
export const ServerWords = ({ text }: { readonly text: string }): ReactNode => {
  const { t } = useTranslation()
  return (
    <details className={styles.words}>
      <summary>{t('serverSaid')}</summary>
      <Copyable label={t('serverSaid')} text={text} />
    </details>
  )
}
