import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ListsPage } from '../../lists/named/lists-page.tsx'
import { ImportList } from './import-list.tsx'
import { readLists } from './kind.ts'

export const ReadListsPage = (): ReactNode => {
  const { t } = useTranslation('read-lists')
  return (
    <ListsPage
      kind={readLists}
      title={t('title')}
      newList={t('new')}
      none={{ title: t('none'), text: t('noneText') }}
      besides={<ImportList />}
    />
  )
}
