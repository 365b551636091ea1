import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { EverythingTabs } from '../../lists/everything-tabs.tsx'
import { ItemList } from '../../lists/item-list.tsx'
import { parseListSearch } from '../../lists/search/list-search.ts'
import { WayOut } from '../../navigation/way-out.tsx'
import { paths } from '../../navigation/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'

const route = getRouteApi('/signed-in/framed/series')

export const SeriesListPage = (): ReactNode => {
  const { t } = useTranslation('series')
  const search = parseListSearch('series', route.useSearch())
  return (
    <Page
      title={t('all')}
      actions={
        <Button
          component={AppLink}
          to={paths.mySeries()}
          variant="default"
          leftSection={<Icon name="star" size="small" />}
        >
          {t('mine')}
        </Button>
      }
    >
      <EverythingTabs />
      <ItemList
        kind="series"
        search={search}
        label={t('all')}
        empty={
          <EmptyState icon="series" title={t('none')} text={t('noneText')} action={<WayOut to={paths.libraries()} />} />
        }
      />
    </Page>
  )
}
