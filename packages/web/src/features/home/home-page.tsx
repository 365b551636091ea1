import { listLibraries, readHome } from '@carrel/api'
import { Button } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useRecommenders } from '../../frame/recommenders.ts'
import { IconAction } from '../../ui/action-menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import styles from './home-page.module.css'
import { ShelfRow } from './shelf-row.tsx'
import { homeInput, isEmpty } from './shelves.ts'

// These are loaded lazily: the page does not wait for them.
const RecommendedShelf = lazy(async () => ({ default: (await import('./recommended-shelf.tsx')).RecommendedShelf }))
// Few arrange their shelves: the others wait for nothing of it.
const ArrangeDialog = lazy(async () => ({ default: (await import('./arrange-dialog.tsx')).ArrangeDialog }))

export const HomePage = (): ReactNode => {
  const { t } = useTranslation('home')
  const home = useRead(readHome, homeInput)
  const [isArranging, setArranging] = useState(false)
  const isRecommendedTo = useRecommenders().length > 0
  const arrange = (): void => setArranging(true)
  return (
    <Page title={t('title')} actions={<Actions onArrange={arrange} />}>
      {isEmpty(home) ? <Nothing onArrange={arrange} /> : null}
      {home.layout.map((shelf) => (
        <ShelfRow key={shelf} shelf={shelf} home={home} />
      ))}
      {isRecommendedTo ? (
        <Suspense>
          <RecommendedShelf />
        </Suspense>
      ) : null}
      {isArranging ? (
        <Suspense>
          <ArrangeDialog layout={home.layout} onClose={() => setArranging(false)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

const Actions = ({ onArrange }: { readonly onArrange: () => void }): ReactNode => {
  const { t } = useTranslation('home')
  return (
    <>
      {useMay('progress:read') ? (
        <Button
          component={AppLink}
          to={paths.statistics()}
          variant="default"
          className={styles.action ?? ''}
          leftSection={<Icon name="chart" size="small" />}
        >
          {t('statistics')}
        </Button>
      ) : null}
      <IconAction icon="sort" label={t('arrange')} onClick={onArrange} />
    </>
  )
}

/**
 * The page is empty because nobody has added a library, because nothing in them is for this user, or because all
 * shelves with something on them are hidden.
 */
const Nothing = ({ onArrange }: { readonly onArrange: () => void }): ReactNode => {
  const { t } = useTranslation('home')
  const { data: libraries } = useLater(listLibraries, {})
  const mayAdd = useMay('libraries:write')
  if (libraries === undefined) return null
  if (libraries.data.some(({ bookCount }) => bookCount > 0))
    return (
      <EmptyState
        icon="home"
        title={t('bare')}
        text={t('bareText')}
        action={<Button onClick={onArrange}>{t('arrange')}</Button>}
      />
    )
  const isFirst = mayAdd && libraries.data.length === 0
  const add = (
    <Button component={AppLink} to={paths.newLibrary()}>
      {t('addLibrary')}
    </Button>
  )
  return (
    <EmptyState
      icon="library"
      title={t('empty')}
      text={isFirst ? t('emptyForAdministrators') : t('emptyText')}
      action={isFirst ? add : undefined}
    />
  )
}
