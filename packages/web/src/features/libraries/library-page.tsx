import { type LibraryDto, readLibrary } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { ItemList } from '../../lists/item-list.tsx'
import { useItemText } from '../../lists/item/item-text.ts'
import type { Kind } from '../../lists/kinds.ts'
import { parseListSearch, type SearchWords } from '../../lists/search/list-search.ts'
import { WayOut } from '../../navigation/way-out.tsx'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import { ScanLine } from '../../scans/scan-line.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState, Notice } from '../../ui/state/state.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import styles from './libraries-page.module.css'
import { LibraryMenu } from './library-menu.tsx'

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
  const library = useRead(readLibrary, { params: { id } })
  const { name, description, status } = library
  const mayManage = useMay('libraries:write')
  const tabs = [
    ['series', paths.library(id)],
    ['books', paths.libraryBooks(id)],
  ] as const
  return (
    <Page
      title={name}
      subtitle={<ScanLine library={library}>{description ?? <Counts library={library} />}</ScanLine>}
      actions={<LibraryMenu library={library} />}
    >
      {status === 'unavailable' ? <Notice kind="warning">{t('unavailable')}</Notice> : null}
      <Row as="nav" gap={4} align="stretch" className={styles.tabs} aria-label={t('tabs')}>
        {tabs.map(([tab, to]) => (
          <AppLink key={tab} to={to} className={styles.tab} aria-current={tab === kind ? 'page' : undefined}>
            {t(`tab.${tab}`)}
          </AppLink>
        ))}
      </Row>
      <ItemList
        key={kind}
        kind={kind}
        scope={{ libraryId: id }}
        search={parseListSearch(kind, words)}
        label={t(`tab.${kind}`)}
        empty={
          <EmptyState
            icon="library"
            title={t('nothing')}
            text={t('nothingText')}
            action={
              mayManage ? (
                <WayOut to={paths.adminLibrary(id)} label={t('openScans')} />
              ) : (
                <WayOut to={paths.libraries()} label={t('title')} />
              )
            }
          />
        }
      />
    </Page>
  )
}

const Counts = ({ library }: { readonly library: LibraryDto }): ReactNode => {
  const text = useItemText()
  return `${text.count('series', library.seriesCount)} · ${text.count('books', library.bookCount)}`
}
