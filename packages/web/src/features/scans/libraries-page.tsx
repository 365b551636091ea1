import { listLibraries, type LibraryDto } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { ScanLine } from '../../scans/scan-line.tsx'
import { useTimeText } from '../../text/time-text.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { useScan } from '../../scans/use-scan.ts'

/** The page lists all libraries, with their state and their present scan. */
export const AdminLibrariesPage = (): ReactNode => {
  const { t } = useTranslation('scans')
  const { data } = useRead(listLibraries, { query: { pageSize: 500 } })
  const add = (
    <Button component={AppLink} to={paths.newLibrary()} leftSection={<Icon name="plus" size="small" />}>
      {t('add')}
    </Button>
  )
  return (
    <Page title={t('libraries')} subtitle={t('librariesText')} actions={data.length === 0 ? undefined : add}>
      {data.length === 0 ? (
        <EmptyState icon="library" title={t('noLibraries')} text={t('noLibrariesText')} action={add} />
      ) : (
        <RowList label={t('libraries')}>
          {data.map((library) => (
            <LibraryRow key={library.id} library={library} />
          ))}
        </RowList>
      )}
    </Page>
  )
}

const LibraryRow = ({ library }: { readonly library: LibraryDto }): ReactNode => {
  const { t } = useTranslation('scans')
  const { id, name, status } = library
  const scan = useScan(library)
  return (
    <ListRow
      icon="library"
      title={<AppLink to={paths.adminLibrary(id)}>{name}</AppLink>}
      mark={status === 'unavailable' ? <Mark kind="warning">{t('away')}</Mark> : null}
      text={
        <ScanLine library={library}>
          <Standing library={library} />
        </ScanLine>
      }
      actions={
        <>
          <Button variant="default" loading={scan.isBusy} onClick={() => scan.start('changes')}>
            {t('scanNow')}
          </Button>
          <ActionMenu
            label={t('moreOf', { name })}
            link={AppLink}
            actions={[
              { key: 'full', icon: 'refresh', label: t('scanFull'), run: () => scan.start('full') },
              { key: 'settings', icon: 'settings', label: t('settings'), to: paths.adminLibrarySettings(id) },
              { key: 'open', icon: 'library', label: t('open'), to: paths.library(id) },
            ]}
          />
        </>
      }
    />
  )
}

const Standing = ({ library }: { readonly library: LibraryDto }): ReactNode => {
  const { t, i18n } = useTranslation('scans')
  const { ago } = useTimeText()
  const { seriesCount, bookCount, lastScannedAt } = library
  const number = (value: number): string => new Intl.NumberFormat(i18n.resolvedLanguage).format(value)
  const parts = [
    t('series', { count: seriesCount, number: number(seriesCount) }),
    t('books', { count: bookCount, number: number(bookCount) }),
    lastScannedAt === null ? t('neverScanned') : t('scanned', { when: ago(lastScannedAt) }),
  ]
  return parts.join(' · ')
}
