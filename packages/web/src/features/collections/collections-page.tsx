import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ListsPage } from '../../lists/named/lists-page.tsx'
import { collections } from './kind.ts'

export const CollectionsPage = (): ReactNode => {
  const { t } = useTranslation('collections')
  return (
    <ListsPage
      kind={collections}
      title={t('title')}
      newList={t('new')}
      none={{ title: t('none'), text: t('noneText') }}
    />
  )
}
