import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EverythingTabs } from '../../lists/everything-tabs.tsx'
import { ItemList } from '../../lists/item-list.tsx'
import { parseListSearch } from '../../lists/search/list-search.ts'
import { paths } from '../../navigation/paths.ts'
import { WayOut } from '../../navigation/way-out.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'

const route = getRouteApi('/signed-in/framed/books')

export const BookListPage = (): ReactNode => {
  const { t } = useTranslation('books')
  return (
    <Page title={t('all')}>
      <EverythingTabs />
      <ItemList
        kind="books"
        search={parseListSearch('books', route.useSearch())}
        label={t('all')}
        empty={
          <EmptyState icon="book" title={t('none')} text={t('noneText')} action={<WayOut to={paths.libraries()} />} />
        }
      />
    </Page>
  )
}
