import { listConnections } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { invalidate, useRead } from '../../api/queries.ts'
import { ConnectionRow } from '../../session/connection-row.tsx'
import { ownConnections } from '../../lists/pages/rows-on-page.ts'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { AccountPage } from './account-page.tsx'
import { AppAddresses } from './app-addresses.tsx'

/** The page says what to type into which app, and what the apps did last. */
export const AppsPage = (): ReactNode => {
  const { t } = useTranslation('account')
  const { data } = useRead(listConnections, ownConnections)
  const again = (
    <Button
      variant="default"
      leftSection={<Icon name="refresh" size="small" />}
      onClick={() => void invalidate(listConnections)}
    >
      {t('apps.again')}
    </Button>
  )
  return (
    <AccountPage>
      <AppAddresses />
      <Section title={t('apps.seen')} text={t('apps.seenText')} actions={data.length === 0 ? undefined : again}>
        {data.length === 0 ? (
          <EmptyState icon="device" title={t('apps.none')} text={t('apps.noneText')} action={again} />
        ) : (
          <RowList label={t('apps.seen')}>
            {data.map((connection) => (
              <ConnectionRow key={connection.id} connection={connection} />
            ))}
          </RowList>
        )}
      </Section>
    </AccountPage>
  )
}
