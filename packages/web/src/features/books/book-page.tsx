import { readBook } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { toned } from '../../ui/cover/toned.ts'
import { ReachedAction } from '../../ui/detail/main-action.tsx'
import { WorkPage } from '../../ui/detail/work-page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { BookDetails } from './book-details.tsx'
import { BookHead } from './book-head.tsx'
import { BookInside } from './book-inside.tsx'
import { addressOfTab, type BookTab, tabIn } from './tabs.ts'
import { useMainAction } from './use-main-action.ts'

const route = getRouteApi('/signed-in/framed/books/$bookId')

export const BookPage = (): ReactNode => {
  const { t } = useTranslation('books')
  const { bookId: id } = route.useParams()
  const book = useRead(readBook, { params: { id } })
  const main = useMainAction(book)
  const current = tabIn(route.useSearch())
  const tabs: readonly { readonly tab: BookTab; readonly label: string }[] = [
    { tab: 'inside', label: t('inside') },
    { tab: 'details', label: t('details') },
  ]
  return (
    <WorkPage key={id} {...toned(book.tone)} reach={main && <ReachedAction link={AppLink} {...main} />}>
      <BookHead book={book} main={main} />
      <Tabs
        label={t('tabs')}
        link={AppLink}
        tabs={tabs.map(({ tab, label }) => ({ to: addressOfTab(id, tab), label, isCurrent: tab === current }))}
      />
      {current === 'details' ? <BookDetails book={book} /> : <BookInside book={book} />}
    </WorkPage>
  )
}
