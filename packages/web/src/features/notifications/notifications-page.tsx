import { listNotifications, markNotificationsRead, readUnreadCount } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { NotificationRow } from './notification-row.tsx'
import { notificationsOnPage } from '../../lists/pages/rows-on-page.ts'
import { Stack } from '../../ui/layout/layout.tsx'

const route = getRouteApi('/signed-in/framed/notifications')

/** The page lists arrivals in the series the user follows. */
export const NotificationsPage = (): ReactNode => {
  const { t } = useTranslation('notifications')
  const goTo = useGoTo()
  const textOf = useProblemText()
  const { page = 1 } = route.useSearch()
  const { data, total, totalPages } = useRead(listNotifications, { query: { page, pageSize: notificationsOnPage } })
  const mark = useChange(markNotificationsRead, { invalidates: [listNotifications, readUnreadCount] })
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const isNew = data.some(({ readAt }) => readAt === null)
  return (
    <Page
      title={t('title')}
      width="narrow"
      actions={
        <>
          {isNew ? (
            <Button
              variant="default"
              loading={mark.isPending}
              onClick={() => mark.mutate({ body: { all: true } }, { onError })}
            >
              {t('markAll')}
            </Button>
          ) : null}
          <Button variant="default" component={AppLink} to={paths.accountNotifications()}>
            {t('settings')}
          </Button>
        </>
      }
    >
      {total === 0 ? (
        <Nothing />
      ) : (
        <Stack as="ul" gap={2} aria-label={t('title')}>
          {data.map((notification) => (
            <NotificationRow
              key={notification.id}
              notification={notification}
              onRead={() => mark.mutate({ body: { ids: [notification.id] } }, { onError })}
            />
          ))}
        </Stack>
      )}
      <Pager
        label={t('pages')}
        page={page}
        pages={totalPages}
        onGo={(next) => goTo(next === 1 ? paths.notifications() : `${paths.notifications()}?page=${next}`)()}
      />
    </Page>
  )
}

const Nothing = (): ReactNode => {
  const { t } = useTranslation('notifications')
  return (
    <EmptyState
      icon="bell"
      title={t('none')}
      text={t('noneText')}
      action={
        <Button component={AppLink} to={paths.mySeries({ of: 'followed' })}>
          {t('toFollowed')}
        </Button>
      }
    />
  )
}
