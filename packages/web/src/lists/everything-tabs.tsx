import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../navigation/link.tsx'
import { paths } from '../navigation/paths.ts'
import { Tabs } from '../ui/layout/tabs.tsx'

/** Series and books are two views of everything that is there. */
export const EverythingTabs = (): ReactNode => {
  const { t } = useTranslation('lists')
  const { pathname } = useLocation()
  const tab = (key: 'series' | 'books', to: string) => ({
    to,
    label: t(`everything.${key}`),
    isCurrent: pathname === to,
  })
  return (
    <Tabs
      label={t('everything.label')}
      link={AppLink}
      tabs={[tab('series', paths.seriesList()), tab('books', paths.bookList())]}
    />
  )
}
