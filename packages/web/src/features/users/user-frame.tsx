import { readUser, type UserDto } from '@carrel/api'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'

interface UserFrameProps {
  readonly id: string
  readonly children: (user: UserDto) => ReactNode
}

/** It frames the pages about one user: the name, and the links between the pages. */
export const UserFrame = ({ id, children }: UserFrameProps): ReactNode => {
  const { t } = useTranslation('users')
  const { ago, day } = useTimeText()
  const user = useRead(readUser, { params: { id } })
  const { pathname } = useLocation()
  const mayGiveAccess = useMay('system:admin')
  const { username, role, isActive, lastLoginAt, createdAt } = user
  const tab = (to: string, label: string) => ({ to, label, isCurrent: pathname === to })
  const details = [
    t(`roles.${role}`),
    isActive ? undefined : t('inactive'),
    lastLoginAt === null ? t('neverSignedIn') : t('signedIn', { when: ago(lastLoginAt) }),
    t('since', { day: day(createdAt) }),
  ]
  return (
    <Page title={username} subtitle={details.filter((detail) => detail !== undefined).join(' · ')} width="narrow">
      <Tabs
        label={t('tabs.label')}
        link={AppLink}
        tabs={[
          tab(paths.user(id), t('tabs.account')),
          ...(mayGiveAccess ? [tab(paths.userAccess(id), t('tabs.access'))] : []),
          tab(paths.userSignIn(id), t('tabs.signIn')),
          ...(mayGiveAccess ? [tab(paths.userApps(id), t('tabs.apps'))] : []),
        ]}
      />
      {children(user)}
    </Page>
  )
}
