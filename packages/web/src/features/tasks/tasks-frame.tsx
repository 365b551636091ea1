import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../link.tsx'
import { paths } from '../../paths.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'

interface TasksFrameProps {
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** What the two pages on tasks have in common. */
export const TasksFrame = ({ actions, children }: TasksFrameProps): ReactNode => {
  const { t } = useTranslation('tasks')
  const { pathname } = useLocation()
  const tab = (to: string, label: string) => ({ to, label, isCurrent: pathname === to })
  return (
    <Page title={t('title')} subtitle={t('text')} actions={actions}>
      <Tabs
        label={t('title')}
        link={AppLink}
        tabs={[tab(paths.adminTasks(), t('tabs.tasks')), tab(paths.adminTaskFigures(), t('tabs.figures'))]}
      />
      {children}
    </Page>
  )
}
