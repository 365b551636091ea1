import { listConnectionsOfUser, type UserDto } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { invalidate, useRead } from '../../api/queries.ts'
import { ConnectionRow } from '../../session/connection-row.tsx'
import { connectionsOf } from '../../lists/pages/rows-on-page.ts'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { UserFrame } from './user-frame.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/users/$userId/apps')

/** The tab shows which apps somebody uses, and why one of them fails: it is for whoever is asked for help. */
export const AppsTab = (): ReactNode => {
  const { userId } = route.useParams()
  return <UserFrame id={userId}>{(user) => <Apps user={user} />}</UserFrame>
}

const Apps = ({ user: { id, username: name } }: { readonly user: UserDto }): ReactNode => {
  const { t } = useTranslation('users')
  const { data } = useRead(listConnectionsOfUser, connectionsOf(id))
  const again = (
    <Button
      variant="default"
      leftSection={<Icon name="refresh" size="small" />}
      onClick={() => void invalidate(listConnectionsOfUser)}
    >
      {t('apps.again')}
    </Button>
  )
  return (
    <Section title={t('apps.title')} text={t('apps.text', { name })} actions={again}>
      {data.length === 0 ? (
        <EmptyState icon="device" title={t('apps.none')} text={t('apps.noneText', { name })} />
      ) : (
        <RowList label={t('apps.title')}>
          {data.map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} ofOther />
          ))}
        </RowList>
      )}
    </Section>
  )
}
