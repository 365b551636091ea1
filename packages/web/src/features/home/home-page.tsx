import { listLibraries } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../link.tsx'
import { useMay } from '../../me.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/state.tsx'

export const HomePage = (): ReactNode => {
  const { t } = useTranslation('home')
  const { data } = useRead(listLibraries, {})
  return (
    <Page title={t('title')}>
      {data.length === 0 ? (
        <Nothing />
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

const Nothing = (): ReactNode => {
  const { t } = useTranslation('home')
  const mayAdd = useMay('libraries:write')
  const add = (
    <Button component={AppLink} to={paths.newLibrary()}>
      {t('addLibrary')}
    </Button>
  )
  return (
    <EmptyState
      icon="library"
      title={t('empty')}
      text={mayAdd ? t('emptyForAdministrators') : t('emptyText')}
      action={mayAdd ? add : undefined}
    />
  )
}
