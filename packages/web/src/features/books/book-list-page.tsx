import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ItemList } from '../../lists/item-list.tsx'
import { parseListSearch } from '../../lists/search/list-search.ts'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'

const route = getRouteApi('/signed-in/framed/books')

export const BookListPage = (): ReactNode => {
  const { t } = useTranslation('books')
  return (
    <Page title={t('all')}>
      <ItemList
        kind="books"
        search={parseListSearch('books', route.useSearch())}
        label={t('all')}
        empty={<EmptyState icon="book" title={t('none')} text={t('noneText')} />}
      />
    </Page>
  )
}
