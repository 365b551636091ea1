import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'

interface TasksFrameProps {
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** It frames the two pages on tasks. */
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
