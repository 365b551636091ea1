import type { GroupingAdvice, GroupingWarning } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Stack } from '../../../ui/layout/layout.tsx'
import { Notice } from '../../../ui/state/state.tsx'
import styles from './grouping.module.css'

const shown = 5

/** What speaks against a way to make series, the largest first. */
export const Doubts = ({ advice }: { readonly advice: GroupingAdvice | undefined }): ReactNode => {
  const { t } = useTranslation('libraries')
  const inWords = useDoubtText()
  const warnings = advice?.warnings ?? []
  if (warnings.length === 0) return null
  return (
    <Notice kind="warning">
      <Stack as="ul" gap={1} className={styles.doubts} aria-label={t('doubt.title')}>
        {warnings.slice(0, shown).map((warning) => (
          <li key={`${warning.code}/${warning.series}`}>{inWords(warning)}</li>
        ))}
        {warnings.length > shown ? <li>{t('doubt.more', { count: warnings.length - shown })}</li> : null}
      </Stack>
    </Notice>
  )
}

const useDoubtText = (): ((warning: GroupingWarning) => string) => {
  const { t } = useTranslation('libraries')
  return ({ code, series, count }) => {
    if (series !== null) return t(`doubt.${code}`, { series, count })
    return code === 'single_books' ? t('doubt.single_books', { count }) : t('doubt.nameless', { count })
  }
}
