import type { LibraryDto } from '@carrel/api'
import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../navigation/link.tsx'
import { paths } from '../navigation/paths.ts'
import { Page } from '../ui/layout/page.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'

interface AdministeredLibraryProps {
  readonly library: LibraryDto
  readonly children: ReactNode
}

/**
 * It frames the pages on the administration of one library: the name of the library, and the links between the pages.
 */
export const AdministeredLibrary = ({ library, children }: AdministeredLibraryProps): ReactNode => {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const { id, name, roots = [] } = library
  const tab = (to: string, label: string) => ({ to, label, isCurrent: pathname === to })
  return (
    <Page
      title={name}
      subtitle={roots.join(' · ')}
      actions={
        <Button component={AppLink} to={paths.library(id)} variant="default">
          {t('administered.toLibrary')}
        </Button>
      }
    >
      <Tabs
        label={name}
        link={AppLink}
        tabs={[
          tab(paths.adminLibrary(id), t('administered.scans')),
          tab(paths.adminLibraryMatching(id), t('administered.matching')),
          tab(paths.adminLibrarySettings(id), t('administered.settings')),
        ]}
      />
      {children}
    </Page>
  )
}
