import { listLibraries } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/state.tsx'

export const HomePage = (): ReactNode => {
  const { t } = useTranslation('home')
  const { data } = useRead(listLibraries, {})
  return (
    <Page title={t('title')}>
      {data.length === 0 ? (
        <EmptyState icon="library" title={t('empty')} text={t('emptyText')} />
      ) : (
        <ul>
          {data.map(({ id, name, seriesCount }) => (
            <li key={id}>
              {name} · {t('series', { count: seriesCount })}
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}
