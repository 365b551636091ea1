import { type AccessGroupDto, createAccessGroup, listAccessGroups } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../../api/queries.ts'
import { RowLink } from '../../../navigation/row-link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { ListRow, RowList } from '../../../ui/row-list.tsx'
import { EmptyState } from '../../../ui/state/state.tsx'
import { NamedDialog } from './named-dialog.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/groups')

/** Rules that several people share. */
export const GroupsPage = (): ReactNode => {
  const { t } = useTranslation('users')
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, totalPages } = useRead(listAccessGroups, { query: { page } })
  const [isMaking, setMaking] = useState(false)
  const make = (
    <Button leftSection={<Icon name="plus" size="small" />} onClick={() => setMaking(true)}>
      {t('groups.new')}
    </Button>
  )
  return (
    <Page title={t('groups.title')} subtitle={t('groups.text')} actions={data.length === 0 ? undefined : make}>
      {data.length === 0 ? (
        <EmptyState icon="people" title={t('groups.none')} text={t('groups.noneText')} action={make} />
      ) : (
        <RowList label={t('groups.title')}>
          {data.map((group) => (
            <GroupRow key={group.id} group={group} />
          ))}
        </RowList>
      )}
      <Pager
        label={t('pages')}
        page={page}
        pages={totalPages}
        onGo={(to) => void navigate({ search: { page: to === 1 ? undefined : to } })}
      />
      {isMaking ? <NewGroup onClose={() => setMaking(false)} /> : null}
    </Page>
  )
}

const GroupRow = ({ group }: { readonly group: AccessGroupDto }): ReactNode => {
  const { t } = useTranslation('users')
  const { id, name, description, libraries, ageCeiling, grantCount, memberCount } = group
  const details = [
    t('groups.members', { count: memberCount }),
    libraries === 'all' ? undefined : t('brief.libraries', { count: libraries.length }),
    ageCeiling === null ? undefined : t('brief.age', { age: ageCeiling }),
    grantCount === 0 ? undefined : t('brief.tags', { count: grantCount }),
  ]
  return (
    <ListRow
      icon="people"
      title={
        <RowLink to={paths.group(id)}>
          <bdi>{name}</bdi>
        </RowLink>
      }
      text={[description, ...details].filter(Boolean).join(' · ')}
    />
  )
}

const NewGroup = ({ onClose }: { readonly onClose: () => void }): ReactNode => {
  const { t } = useTranslation('users')
  const navigate = route.useNavigate()
  const create = useChange(createAccessGroup, {
    invalidates: [listAccessGroups],
    onDone: ({ id }) => navigate({ to: paths.group(id) }),
  })
  return (
    <NamedDialog
      title={t('groups.new')}
      action={t('create')}
      before={{ name: '', description: null }}
      error={create.error}
      isPending={create.isPending}
      onSave={(body) => create.mutate({ body })}
      onClose={onClose}
    />
  )
}
