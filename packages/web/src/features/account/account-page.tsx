import { logout } from '@carrel/api'
import { Button } from '@mantine/core'
import { useLocation, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { leave } from '../../api/leave.ts'
import { useChange } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMe } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { Columns, Stack } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import styles from './account.module.css'

/** It frames the pages of the account: the user's name, the links between the pages, and signing out. */
export const AccountPage = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const { t } = useTranslation('account')
  const { username, role } = useMe()
  const { pathname } = useLocation()
  const tab = (to: string, label: string) => ({ to, label, isCurrent: pathname === to })
  const tabs = [
    tab(paths.account(), t('tabs.profile')),
    tab(paths.accountSecurity(), t('tabs.security')),
    tab(paths.accountDevices(), t('tabs.devices')),
    tab(paths.accountHistory(), t('tabs.history')),
    tab(paths.accountNotifications(), t('tabs.notifications')),
    tab(paths.accountApps(), t('tabs.apps')),
    tab(paths.accountPlugins(), t('tabs.plugins')),
    tab(paths.accountKeys(), t('tabs.keys')),
  ]
  return (
    <Page title={t('title')} subtitle={`${username} · ${t(`role.${role}`)}`} actions={<SignOut />}>
      <Columns gap={6} align="start" className={styles.account}>
        <Tabs label={t('title')} link={AppLink} tabs={tabs} isMenu />
        <Stack gap={5} className={styles.section}>
          {children}
        </Stack>
      </Columns>
    </Page>
  )
}

const SignOut = (): ReactNode => {
  const { t } = useTranslation('account')
  const router = useRouter()
  const signOut = useChange(logout, {
    onDone: async () => {
      await router.navigate({ href: paths.signIn() })
      leave()
    },
  })
  return (
    <Button
      variant="default"
      leftSection={<Icon name="leave" size="small" />}
      loading={signOut.isPending}
      onClick={() => signOut.mutate({ body: {} })}
    >
      {t('signOut')}
    </Button>
  )
}
