import { addressOf, type BookDetail, listBooksOfSeries, listPages, readBook, readPagePicture } from '@carrel/api'
import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { useLater } from '../../api/queries.ts'
import { useBookTitle } from '../../text/book-name.tsx'
import { useMay } from '../../session/me.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Grid, Stack } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import type { Covered } from './covered.ts'
import styles from './cover-list.module.css'

const pagesAtFirst = 24
const booksMax = 500
const thumbnailWidth = 320

interface PagesToChooseProps {
  readonly of: Covered
  readonly id: string
  readonly onChoose: (page: number, bookId: string) => void
}

/** Any page of the book can be its cover; of a series, any page of any of its books. */
export const PagesToChoose = ({ of, id, onChoose }: PagesToChooseProps): ReactNode => {
  const { t } = useTranslation('covers')
  const ofSeries = of.kind === 'series'
  const [chosen, setChosen] = useState<string>()
  const titleIn = useBookTitle()
  const { data: books } = useLater(
    listBooksOfSeries,
    { params: { id }, query: { pageSize: booksMax } },
    { enabled: ofSeries },
  )
  const bookId = ofSeries ? (chosen ?? books?.data[0]?.id) : id
  const mayChange = useMay(ofSeries ? 'series:write' : 'books:write')
  if (bookId === undefined || !mayChange) return null
  return (
    <Section
      title={t('fromPages')}
      actions={
        books && books.data.length > 1 ? (
          <NativeSelect
            aria-label={t('ofBook')}
            value={bookId}
            data={books.data.map((book) => ({ value: book.id, label: titleIn('series', book).text }))}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          />
        ) : undefined
      }
    >
      <PageGrid key={bookId} bookId={bookId} onChoose={(page) => onChoose(page, bookId)} />
    </Section>
  )
}

const thumbnailOf = ({ id, fileHash }: BookDetail, number: number): string =>
  basePath +
  addressOf(readPagePicture, {
    params: { id, number },
    query: { width: thumbnailWidth, format: 'webp', ...(fileHash !== null && { v: fileHash }) },
  })

interface PageGridProps {
  readonly bookId: string
  readonly onChoose: (page: number) => void
}

const PageGrid = ({ bookId, onChoose }: PageGridProps): ReactNode => {
  const { t } = useTranslation('covers')
  const { data: pages } = useLater(listPages, { params: { id: bookId } })
  const { data: book } = useLater(readBook, { params: { id: bookId } })
  const [shown, setShown] = useState(pagesAtFirst)
  if (pages === undefined || book === undefined) return null
  if (pages.length === 0) return <p>{t('noPages')}</p>
  return (
    <>
      <Grid as="ul" gap={4} className={styles.covers}>
        {pages.slice(0, shown).map(({ pageNumber }) => (
          <li key={pageNumber} className={styles.cover}>
            <Stack
              as="button"
              gap={2}
              pad={2}
              type="button"
              className={styles.choice}
              onClick={() => onChoose(pageNumber)}
            >
              <Cover src={thumbnailOf(book, pageNumber)} alt="" />
              <Stack as="span" className={styles.name}>
                {t('page', { page: pageNumber })}
              </Stack>
            </Stack>
          </li>
        ))}
      </Grid>
      {pages.length > shown ? (
        <Button variant="default" onClick={() => setShown(shown + 2 * pagesAtFirst)}>
          {t('morePages', { count: pages.length - shown })}
        </Button>
      ) : null}
    </>
  )
}
