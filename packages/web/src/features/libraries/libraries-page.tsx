import { glanceAtLibraries, type LibraryAtAGlance } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { seriesCover } from '../../lists/item/addresses.ts'
import { useItemText } from '../../lists/item/item-text.ts'
import { menuOfSubject } from '../../lists/menu/use-menu-of.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { ScanLine } from '../../scans/scan-line.tsx'
import { FanCard, NewCard } from '../../ui/cover/fan-card.tsx'
import { toned } from '../../ui/cover/toned.ts'
import { Icon } from '../../ui/icon.tsx'
import { Grid } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import styles from './libraries-page.module.css'
import { LibraryMenu, useLibraryActions } from './library-menu.tsx'

export const LibrariesPage = (): ReactNode => {
  const { t } = useTranslation('libraries')
  const { libraries } = useRead(glanceAtLibraries, {})
  const mayAdd = useMay('libraries:write')
  if (libraries.length === 0) return <NoLibraries />
  return (
    <Page title={t('title')}>
      <Grid as="ul" gap={4} min={15}>
        {libraries.map((library) => (
          <li key={library.id}>
            <LibraryCard library={library} />
          </li>
        ))}
        {mayAdd ? (
          <li>
            <NewCard label={t('add')} to={paths.newLibrary()} link={AppLink} icon={<Icon name="plus" />} />
          </li>
        ) : null}
      </Grid>
    </Page>
  )
}

const NoLibraries = (): ReactNode => {
  const { t } = useTranslation('libraries')
  const mayAdd = useMay('libraries:write')
  return (
    <Page title={t('title')}>
      <EmptyState
        icon="library"
        title={t('none')}
        text={t(mayAdd ? 'noneForAdministrators' : 'noneText')}
        action={
          <Button component={AppLink} to={mayAdd ? paths.newLibrary() : paths.home()} radius="xl">
            {t(mayAdd ? 'add' : 'toHome')}
          </Button>
        }
      />
    </Page>
  )
}

/** Text over the tone of a cover is never quiet: what is on it may be anything. */
const LibraryCard = ({ library }: { readonly library: LibraryAtAGlance }): ReactNode => {
  const { t } = useTranslation('libraries')
  const text = useItemText()
  const { id, name, status, seriesCount, bookCount, unreadCount, covers } = library
  const actions = useLibraryActions(library)
  const [first] = covers
  const open = [
    { key: 'series', icon: 'series', label: t('tab.series'), to: paths.library(id), group: 'open' },
    { key: 'books', icon: 'book', label: t('tab.books'), to: paths.libraryBooks(id), group: 'open' },
  ] as const
  return (
    <FanCard
      name={name}
      icon="library"
      menu={menuOfSubject({
        id,
        name,
        text: [text.count('series', seriesCount), text.count('books', bookCount)].join(' · '),
        cover: first === undefined ? null : seriesCover({ ...first, id: first.seriesId }, 44),
        icon: 'library',
        actions: [...open, ...actions],
      })}
      text={
        <>
          <ScanLine library={library}>
            {[
              text.count('series', seriesCount),
              text.count('books', bookCount),
              ...(bookCount === 0 ? [] : [unreadCount === 0 ? t('allRead') : text.count('unread', unreadCount)]),
            ].join(' · ')}
          </ScanLine>
          {status === 'unavailable' ? <span className={styles.away}>{t('away')}</span> : null}
        </>
      }
      covers={covers.map(({ seriesId, coverVersion, placeholder }) => ({
        key: seriesId,
        src: seriesCover({ id: seriesId, coverVersion }, 84),
        thumbhash: placeholder,
      }))}
      tone={toned(first?.tone)}
      to={paths.library(id)}
      link={AppLink}
      actions={<LibraryMenu library={library} />}
    />
  )
}
