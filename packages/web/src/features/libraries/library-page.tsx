import { readLibrary } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../link.tsx'
import { ItemList } from '../../lists/item-list.tsx'
import type { Kind } from '../../lists/kinds.ts'
import { parseListSearch, type SearchWords } from '../../lists/list-search.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../ui/page.tsx'
import { EmptyState, Notice } from '../../ui/state.tsx'
import styles from './libraries-page.module.css'

const seriesRoute = getRouteApi('/signed-in/framed/libraries/$libraryId')
const booksRoute = getRouteApi('/signed-in/framed/libraries/$libraryId/books')

export const LibraryPage = (): ReactNode => (
  <OneLibrary id={seriesRoute.useParams().libraryId} kind="series" words={seriesRoute.useSearch()} />
)

export const LibraryBooksPage = (): ReactNode => (
  <OneLibrary id={booksRoute.useParams().libraryId} kind="books" words={booksRoute.useSearch()} />
)

interface OneLibraryProps {
  readonly id: string
  readonly kind: Kind
  readonly words: SearchWords
}

const OneLibrary = ({ id, kind, words }: OneLibraryProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const { name, description, status } = useRead(readLibrary, { params: { id } })
  const tabs = [
    ['series', paths.library(id)],
    ['books', paths.libraryBooks(id)],
  ] as const
  return (
    <Page title={name} {...(description !== null && { subtitle: description })}>
      {status === 'unavailable' ? <Notice kind="warning">{t('unavailable')}</Notice> : null}
      <nav className={styles.tabs} aria-label={t('tabs')}>
        {tabs.map(([tab, to]) => (
          <AppLink key={tab} to={to} className={styles.tab} aria-current={tab === kind ? 'page' : undefined}>
            {t(`tab.${tab}`)}
          </AppLink>
        ))}
      </nav>
      <ItemList
        key={kind}
        kind={kind}
        scope={{ libraryId: id }}
        search={parseListSearch(kind, words)}
        label={t(`tab.${kind}`)}
        empty={<EmptyState icon="library" title={t('nothing')} text={t('nothingText')} />}
      />
    </Page>
  )
}
