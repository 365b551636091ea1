import { type BookDto, listBooksOfSeries, type SeriesDetail } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useItemText } from '../../lists/item/item-text.ts'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useBookTitle } from '../../text/book-name.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import styles from './series-page.module.css'
import { addressOfTab, filesPageIn } from './tabs.ts'

const route = getRouteApi('/signed-in/framed/series/$seriesId')
const filesOnPage = 50

/** Where a series is: its folder, and its files with what is wrong with them. */
export const SeriesFiles = ({ series: { id, path } }: { readonly series: SeriesDetail }): ReactNode => {
  const { t } = useTranslation('series')
  const goTo = useGoTo()
  const page = filesPageIn(route.useSearch())
  const { data } = useLater(
    listBooksOfSeries,
    { params: { id }, query: { page, pageSize: filesOnPage, sort: 'number,asc', includeDeleted: true } },
    { keepPrevious: true },
  )
  return (
    <Section title={t('files.title')}>
      {path == null ? null : (
        <Text>
          <code dir="ltr" className={styles.path}>
            {path}
          </code>
        </Text>
      )}
      <Stack as="ul" gap="hair" className={styles.history}>
        {(data?.data ?? []).map((book) => (
          <FileRow key={book.id} book={book} folder={path ?? ''} />
        ))}
      </Stack>
      <Pager
        label={t('files.title')}
        page={page}
        pages={data?.totalPages ?? 1}
        onGo={(next) => goTo(`${addressOfTab(id, 'details')}&files=${next}`)()}
      />
    </Section>
  )
}

const FileRow = ({ book, folder }: { readonly book: BookDto; readonly folder: string }): ReactNode => {
  const { t } = useTranslation('series')
  const text = useItemText()
  const titleIn = useBookTitle()
  const path = book.path ?? ''
  return (
    <Row as="li" gap={3} rowGap={0} justify="between" wrap className={styles.opened}>
      <Stack gap="hair" className={styles.file}>
        <AppLink to={paths.book(book.id)} dir="auto">
          {titleIn('series', book).text}
        </AppLink>
        <Text quiet size={13} dir="ltr">
          {folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path}
        </Text>
        {book.analysisError === null ? null : (
          <Text size={13}>
            <Mark kind="danger">{t('files.damaged')}</Mark> {book.analysisError}
          </Text>
        )}
        {book.deleted ? <Mark kind="danger">{t('files.gone')}</Mark> : null}
      </Stack>
      <Row gap={3} className={styles.when}>
        <span>{book.fileFormat.toUpperCase()}</span>
        <span>{text.size(book.fileSize)}</span>
      </Row>
    </Row>
  )
}
