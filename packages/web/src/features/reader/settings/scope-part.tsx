import type { BookDetail } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Text } from '../../../ui/layout/layout.tsx'
import { toast } from '../../../ui/state/toasts.tsx'
import { Quiet, Segments } from '../sheet/fields.tsx'
import { type Scope, scopes } from './scopes.ts'
import styles from './scope-part.module.css'
import type { ReaderSettingsInUse } from './use-reader-settings.ts'

interface ScopePartProps {
  readonly book: BookDetail
  readonly settings: ReaderSettingsInUse
  readonly scope: Scope
  /** What is meant by everywhere, where it is not comics. */
  readonly everywhere?: string
}

/** The first row of a sheet: for what it holds that one changes something. */
export const ScopePart = ({
  book,
  settings,
  scope: { scope, setScope, own },
  everywhere,
}: ScopePartProps): ReactNode => {
  const { t } = useTranslation('reader')
  const reset = (): void => {
    settings.save(scope, Object.fromEntries(Object.keys(own).map((name) => [name, null])))
    toast({ text: t('settings.wasReset'), undo: () => settings.save(scope, own) })
  }
  return (
    <>
      <Segments
        label={t('settings.for')}
        value={scope}
        onChoose={setScope}
        choices={scopes.map((value) => ({
          value,
          label: (value === 'user' ? everywhere : undefined) ?? t(`settings.level.${value}`),
        }))}
      />
      <Text quiet size={12} className={styles.about} dir="auto">
        {t(`settings.about.${scope}`, { series: book.seriesName, library: book.libraryName })}{' '}
        {Object.keys(own).length === 0 ? null : <Quiet label={t(`settings.reset.${scope}`)} onClick={reset} />}
      </Text>
    </>
  )
}
