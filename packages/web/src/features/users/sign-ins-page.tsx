import { listSignInActivity, type SignInActivityDto } from '@carrel/api'
import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { RowLink } from '../../navigation/row-link.tsx'
import { useMay } from '../../session/me.ts'
import { PageMissing } from '../../frame/page-states.tsx'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { SignInRow, signInsOnPage } from '../../session/sign-in-row.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { PageSkeleton } from '../../ui/state/skeleton.tsx'
import { EmptyState, ErrorState } from '../../ui/state/state.tsx'
import styles from './users.module.css'
import { ToAdministration, WayOut } from '../../navigation/way-out.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/users/sign-ins')

/** It lists sign-ins and attempts of all users, for whoever looks after them. */
export const SignInsPage = (): ReactNode => {
  const { t } = useTranslation('users')
  const { outcome, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  if (!useMay('system:admin')) return <PageMissing />
  return (
    <Page title={t('signIns.title')} subtitle={t('signIns.text')}>
      <Row gap={2} align="stretch" wrap className={styles.toolbar}>
        <NativeSelect
          aria-label={t('signIns.outcome')}
          value={outcome ?? ''}
          data={[
            { value: '', label: t('signIns.all') },
            { value: 'good', label: t('signIns.good') },
            { value: 'failed', label: t('signIns.failed') },
          ]}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: { outcome: value === 'good' || value === 'failed' ? value : undefined } })
          }
        />
      </Row>
      <SignInList
        outcome={outcome}
        page={page}
        onPage={(number) => void navigate({ search: { outcome, page: number } })}
      />
    </Page>
  )
}

interface SignInListProps {
  readonly outcome: 'good' | 'failed' | undefined
  readonly page: number
  readonly onPage: (page: number) => void
}

const SignInList = ({ outcome, page, onPage }: SignInListProps): ReactNode => {
  const { t } = useTranslation('users')
  const textOf = useProblemText()
  const filter = outcome === undefined ? {} : { success: outcome === 'good' }
  const { data, error } = useLater(
    listSignInActivity,
    { query: { ...filter, page, pageSize: signInsOnPage } },
    { keepPrevious: true, isNeverTold: true },
  )
  if (error) return <ErrorState title={t('failed')} text={textOf(error)} />
  if (data === undefined) return <PageSkeleton />
  if (data.total === 0)
    return (
      <EmptyState
        icon="people"
        title={t('signIns.nothing')}
        text={t('signIns.text')}
        action={outcome === undefined ? <ToAdministration /> : <WayOut to={paths.signIns()} label={t('signIns.all')} />}
      />
    )
  return (
    <>
      <RowList label={t('signIns.title')}>
        {data.data.map((activity) => (
          <SignInRow key={activity.id} activity={activity} who={<Who activity={activity} />} />
        ))}
      </RowList>
      <Pager label={t('signIns.pages')} page={page} pages={Math.ceil(data.total / signInsOnPage)} onGo={onPage} />
    </>
  )
}

/** The account; what was typed where it is not the name of one. */
const Who = ({ activity: { userId, username, typedName } }: { readonly activity: SignInActivityDto }): ReactNode => {
  const { t } = useTranslation('users')
  if (userId !== null && username !== null)
    return (
      <RowLink to={paths.user(userId)}>
        <bdi>{username}</bdi>
      </RowLink>
    )
  return typedName === null ? t('signIns.nameless') : <bdi>{t('signIns.typed', { name: typedName })}</bdi>
}
