import { type BookDetail, listReadListsOfBook } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useItemText } from '../../lists/item/item-text.ts'
import { OuterLinks, People, Terms } from '../../lists/terms.tsx'
import { useDetailRows } from '../../metadata/detail-rows.ts'
import { Provenance } from '../../metadata/provenance.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { type DetailRow, Details } from '../../ui/detail/details.tsx'
import { Stack } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { BookFiles } from './book-files.tsx'
import { BookRatingRow } from './book-rating.tsx'
import { usePlacement } from './placement.tsx'
import { useFileRows } from './file-details.tsx'

/** All that is known of a book, who says it, and where its files are. */
export const BookDetails = ({ book }: { readonly book: BookDetail }): ReactNode => {
  const { t } = useTranslation('books')
  return (
    <Stack gap={6}>
      <Details rows={useRows(book)} />
      <Section title={t('provenance')} text={t('provenanceText')}>
        <Provenance kind="book" id={book.id} />
      </Section>
      <Section title={t('fileDetails')}>
        <Details rows={useFileRows(book)} />
      </Section>
    </Stack>
  )
}

/** Names in the details lead to everything else that carries them. */
const useRows = (book: BookDetail): DetailRow[] => {
  const { t } = useTranslation('books')
  const text = useItemText()
  const maySeeLists = useMay('readlists:read')
  const lists = useLater(
    listReadListsOfBook,
    { params: { id: book.id }, query: { pageSize: 20 } },
    { enabled: maySeeLists },
  )
  const { metadata } = book
  const details = useDetailRows('book', metadata)
  return [
    { label: t('yourRating'), value: <BookRatingRow bookId={book.id} /> },
    {
      label: t('people'),
      value: metadata.authors.length > 0 ? <People people={metadata.authors} to={paths.person} /> : null,
    },
    {
      label: t('genres'),
      value: metadata.genres.length > 0 ? <Terms terms={metadata.genres} to={paths.genre} /> : null,
    },
    { label: t('tags'), value: metadata.tags.length > 0 ? <Terms terms={metadata.tags} to={paths.tag} /> : null },
    ...details,
    {
      label: t('readLists'),
      value:
        lists.data && lists.data.data.length > 0
          ? lists.data.data.map(({ id, name }) => (
              <AppLink key={id} to={paths.readList(id)}>
                {name}
              </AppLink>
            ))
          : null,
    },
    { label: t('links'), value: book.externalLinks.length > 0 ? <OuterLinks links={book.externalLinks} /> : null },
    { label: t('files.label'), value: book.files.length > 1 ? <BookFiles book={book} /> : null },
    {
      // A one-shot is looked for as a book; what is said of it as a series is found from here.
      label: t('seriesEntry'),
      value:
        book.oneShot && book.seriesId !== null ? (
          <AppLink to={paths.series(book.seriesId)} dir="auto">
            {book.seriesName}
          </AppLink>
        ) : null,
    },
    { label: t('placement.label'), value: usePlacement(book) },
    { label: t('added'), value: text.date(book.createdAt) },
  ]
}
