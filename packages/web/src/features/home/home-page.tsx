import { listLibraries } from '@carrel/api'
import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../link.tsx'
import { BookCard, SeriesCard } from '../../lists/item-card.tsx'
import { useMay } from '../../me.ts'
import { paths } from '../../paths.ts'
import { Page, Section } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/state.tsx'
import styles from './home-page.module.css'
import { type Shelf, shelves } from './shelves.ts'

export const HomePage = (): ReactNode => {
  const { t } = useTranslation('home')
  const { data } = useRead(listLibraries, {})
  const hasBooks = data.some(({ bookCount }) => bookCount > 0)
  return (
    <Page title={t('title')}>
      {hasBooks ? (
        shelves.map((shelf) => <ShelfRow key={shelf.key} shelf={shelf} />)
      ) : (
        <Nothing hasLibrary={data.length > 0} />
      )}
    </Page>
  )
}

const shownAtMost = 20

const ShelfRow = ({ shelf: { key, all, query } }: { readonly shelf: Shelf }): ReactNode => {
  const { t } = useTranslation('home')
  const { data } = useSuspenseQuery({ queryKey: query.queryKey, queryFn: query.queryFn })
  const items = data.body.data.slice(0, shownAtMost)
  if (items.length === 0) return null
  return (
    <Section
      title={t(`shelf.${key}`)}
      actions={
        <AppLink to={all} className={styles.all} aria-label={t('allOf', { shelf: t(`shelf.${key}`) })}>
          {t('all')}
        </AppLink>
      }
    >
      <ul className={styles.shelf} aria-label={t(`shelf.${key}`)}>
        {items.map((item) => (
          <li key={item.id}>
            {'seriesId' in item ? <BookCard book={item} width={150} /> : <SeriesCard series={item} width={150} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const Nothing = ({ hasLibrary }: { readonly hasLibrary: boolean }): ReactNode => {
  const { t } = useTranslation('home')
  const mayAdd = useMay('libraries:write') && !hasLibrary
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
