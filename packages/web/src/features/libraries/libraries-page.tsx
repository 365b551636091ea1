import { listLibraries, type LibraryDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useItemText } from '../../lists/item/item-text.ts'
import { paths } from '../../navigation/paths.ts'
import { ScanLine } from '../../scans/scan-line.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Columns, Grid } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import styles from './libraries-page.module.css'

export const LibrariesPage = (): ReactNode => {
  const { t } = useTranslation('libraries')
  const { data } = useRead(listLibraries, { query: { pageSize: 500 } })
  return (
    <Page title={t('title')}>
      {data.length === 0 ? (
        <EmptyState icon="library" title={t('none')} text={t('noneText')} />
      ) : (
        <Grid as="ul" gap={4} min={18}>
          {data.map((library) => (
            <li key={library.id}>
              <LibraryCard library={library} />
            </li>
          ))}
        </Grid>
      )}
    </Page>
  )
}

const LibraryCard = ({ library }: { readonly library: LibraryDto }): ReactNode => {
  const { t } = useTranslation('libraries')
  const text = useItemText()
  const { id, name, description, status, seriesCount, bookCount } = library
  return (
    <Columns as={AppLink} gap={4} align="center" box pad={4} to={paths.library(id)} className={styles.card}>
      <Icon name="library" size="large" />
      <span>
        <span className={styles.name} dir="auto">
          {name}
        </span>
        {description === null ? null : <span className={styles.line}>{description}</span>}
        <span className={styles.line}>
          <ScanLine library={library}>
            {text.count('series', seriesCount)} · {text.count('books', bookCount)}
          </ScanLine>
        </span>
        {status === 'unavailable' ? <span className={styles.away}>{t('away')}</span> : null}
      </span>
    </Columns>
  )
}
