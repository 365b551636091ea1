import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ItemList } from '../../lists/item-list.tsx'
import { parseListSearch } from '../../lists/list-search.ts'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/state.tsx'

const route = getRouteApi('/signed-in/framed/series')

export const SeriesListPage = (): ReactNode => {
  const { t } = useTranslation('series')
  const search = parseListSearch('series', route.useSearch())
  return (
    <Page title={t('all')}>
      <ItemList
        kind="series"
        search={search}
        label={t('all')}
        empty={<EmptyState icon="series" title={t('none')} text={t('noneText')} />}
      />
    </Page>
  )
}
