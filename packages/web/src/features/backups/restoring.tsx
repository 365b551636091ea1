import { readServerStatus } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Copyable } from '../../ui/form/copyable.tsx'
import { Stack } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import styles from './backups.module.css'

interface RestoringProps {
  /** The newest that is whole, to fill in. */
  readonly latest: string | undefined
}

/** It explains how to restore: on the machine, with the server stopped. */
export const Restoring = ({ latest }: RestoringProps): ReactNode => {
  const { t } = useTranslation('backups')
  const { storage } = useRead(readServerStatus, {})
  const file = `${storage.dataDir}/backups/${latest ?? t('restore.anyName')}`
  return (
    <Section title={t('restore.title')} text={t('restore.text')}>
      <Copyable label={t('restore.verify')} text={`carrel restore ${file} --verify-only`} />
      <Copyable label={t('restore.restore')} text={`carrel restore ${file}`} />
      <Stack as="ul" gap={2} className={styles.notes}>
        <li>{t('restore.checked')}</li>
        <li>{t('restore.kept')}</li>
        <li>{t('restore.good')}</li>
        <li>{t('restore.apart')}</li>
      </Stack>
    </Section>
  )
}
