import { listUsers, roles, type UserDto } from '@carrel/api'
import { Button, NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { RowLink } from '../../navigation/row-link.tsx'
import { useMay, useMe } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { FindField } from '../../ui/form/find-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Text } from '../../ui/layout/layout.tsx'
import { announce } from '../../ui/state/live-region.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { useShortcuts } from '../../ui/keyboard/shortcuts.tsx'
import { PageSkeleton } from '../../ui/state/skeleton.tsx'
import { EmptyState, ErrorState } from '../../ui/state/state.tsx'
import { useAccessText } from './access-text.ts'
import styles from './users.module.css'
import { userOrders, usersInput, usersOnPage, type UsersSearch } from './users-search.ts'
import { ShowAll } from '../../navigation/way-out.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/users')

export const UsersPage = (): ReactNode => {
  const { t } = useTranslation('users')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const find = useRef<HTMLInputElement>(null)
  const mayMake = useMay('users:write')
  const maySeeSignIns = useMay('system:admin')
  useShortcuts(t('title'), [{ keys: 'f', label: t('find'), run: () => find.current?.focus() }])
  const go = (part: UsersSearch): void =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...part }), replace: part.page === undefined })
  return (
    <Page
      title={t('title')}
      actions={
        <>
          {maySeeSignIns ? (
            <Button component={AppLink} to={paths.signIns()} variant="default">
              {t('signIns.title')}
            </Button>
          ) : null}
          {mayMake ? (
            <Button component={AppLink} to={paths.newUser()} leftSection={<Icon name="plus" size="small" />}>
              {t('new')}
            </Button>
          ) : null}
        </>
      }
    >
      <Row gap={2} align="stretch" wrap className={styles.toolbar} role="search" aria-label={t('find')}>
        <FindField
          className={styles.find}
          label={t('find')}
          value={search.q ?? ''}
          onChange={(q) => go({ q: q.trim() === '' ? undefined : q })}
          input={find}
        />
        <NativeSelect
          aria-label={t('role')}
          value={search.role ?? ''}
          data={[
            { value: '', label: t('everyRole') },
            ...roles.map((role) => ({ value: role, label: t(`roles.${role}`) })),
          ]}
          onChange={({ currentTarget }) => go({ role: roles.find((each) => each === currentTarget.value) })}
        />
        <NativeSelect
          aria-label={t('sort')}
          value={search.sort ?? 'username,asc'}
          data={userOrders.map((order) => ({ value: order, label: t(`order.${nameOf(order)}`) }))}
          onChange={({ currentTarget }) => go({ sort: userOrders.find((each) => each === currentTarget.value) })}
        />
      </Row>
      <UserList search={search} onAll={() => go({ q: undefined, role: undefined })} onPage={(page) => go({ page })} />
    </Page>
  )
}

const nameOf = (order: (typeof userOrders)[number]) => order.split(',')[0] as 'username' | 'createdAt' | 'lastLoginAt'

interface UserListProps {
  readonly search: UsersSearch
  readonly onAll: () => void
  readonly onPage: (page: number) => void
}

const UserList = ({ search, onAll, onPage }: UserListProps): ReactNode => {
  const { t } = useTranslation('users')
  const textOf = useProblemText()
  const { data, error } = useLater(listUsers, usersInput(search), { keepPrevious: true })
  const total = data?.total
  useEffect(() => {
    if (total !== undefined) announce(t('count', { count: total }))
  }, [total, t])
  if (error) return <ErrorState title={t('failed')} text={textOf(error)} />
  if (data === undefined) return <PageSkeleton />
  if (data.total === 0)
    return <EmptyState icon="people" title={t('nobody')} text={t('nobodyText')} action={<ShowAll onClick={onAll} />} />
  return (
    <>
      <Text quiet>{t('count', { count: data.total })}</Text>
      <RowList label={t('title')}>
        {data.data.map((user) => (
          <UserRow key={user.id} user={user} />
        ))}
      </RowList>
      <Pager label={t('pages')} page={search.page ?? 1} pages={Math.ceil(data.total / usersOnPage)} onGo={onPage} />
    </>
  )
}

const UserRow = ({ user }: { readonly user: UserDto }): ReactNode => {
  const { t } = useTranslation('users')
  const { ago } = useTimeText()
  const me = useMe()
  const accessText = useAccessText()
  const { id, username, email, role, isActive, lastLoginAt, access } = user
  const signedIn = lastLoginAt === null ? t('neverSignedIn') : t('signedIn', { when: ago(lastLoginAt) })
  return (
    <ListRow
      icon="person"
      title={
        <RowLink to={paths.user(id)}>
          <bdi>{username}</bdi>
        </RowLink>
      }
      mark={
        <>
          <Mark kind={role === 'admin' ? 'good' : 'plain'}>{t(`roles.${role}`)}</Mark>
          {isActive ? null : <Mark kind="danger">{t('inactive')}</Mark>}
          {id === me.id ? <Mark kind="plain">{t('you')}</Mark> : null}
        </>
      }
      text={[email, signedIn, ...accessText(access)].filter(Boolean).join(' · ')}
    />
  )
}
