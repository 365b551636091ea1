import { type BookDetail, listReadListsOfBook } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useItemText } from '../../lists/item/item-text.ts'
import { searchFor } from '../../lists/search/list-search.ts'
import { OuterLinks, People, Terms } from '../../lists/terms.tsx'
import { useDetailRows } from '../../metadata/detail-rows.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { Details } from '../../ui/detail/details.tsx'
import { BookFiles } from './book-files.tsx'
import { BookRatingRow } from './book-rating.tsx'
import { usePlacement } from './placement.tsx'

/** Names in the details lead to everything else that carries them. */
export const BookDetails = ({ book }: { readonly book: BookDetail }): ReactNode => {
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
  const to = (name: 'genre' | 'tag' | 'person') => (value: string) => paths.bookList() + searchFor(name, value)
  return (
    <Details
      rows={[
        { label: t('yourRating'), value: <BookRatingRow bookId={book.id} /> },
        {
          label: t('people'),
          value: metadata.authors.length > 0 ? <People people={metadata.authors} to={to('person')} /> : null,
        },
        {
          label: t('genres'),
          value: metadata.genres.length > 0 ? <Terms terms={metadata.genres} to={to('genre')} /> : null,
        },
        { label: t('tags'), value: metadata.tags.length > 0 ? <Terms terms={metadata.tags} to={to('tag')} /> : null },
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
        { label: t('placement.label'), value: usePlacement(book) },
        { label: t('added'), value: text.date(book.createdAt) },
      ]}
    />
  )
}
