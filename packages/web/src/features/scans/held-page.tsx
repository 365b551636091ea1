import { listHeldItems, readHeldChanges, readLibrary } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useItemName } from '../../text/book-name.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { HeldActions } from './held-card.tsx'
import { itemsOnPage } from './on-page.ts'
import type { HeldRemovals } from './use-held.ts'

const route = getRouteApi('/signed-in/framed/administered/admin/libraries/$libraryId/held-changes')

/** Every book that would go missing. */
export const HeldPage = (): ReactNode => {
  const { t } = useTranslation('scans')
  const { libraryId } = route.useParams()
  const { name } = useRead(readLibrary, { params: { id: libraryId } })
  const { held } = useRead(readHeldChanges, { params: { id: libraryId } })
  const back = (
    <Button component={AppLink} to={paths.adminLibrary(libraryId)} variant="default">
      {t('held.back')}
    </Button>
  )
  return (
    <Page title={t('held.pageTitle')} subtitle={name} actions={held === null ? undefined : back}>
      {held === null ? (
        <EmptyState icon="check" title={t('held.none')} text={t('held.noneText')} action={back} />
      ) : (
        <>
          <HeldActions libraryId={libraryId} held={held} />
          <Items libraryId={libraryId} held={held} />
        </>
      )}
    </Page>
  )
}

const Items = ({ libraryId, held }: { readonly libraryId: string; readonly held: HeldRemovals }): ReactNode => {
  const { t } = useTranslation('scans')
  const nameOf = useItemName()
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const input = { params: { id: libraryId, heldId: held.id }, query: { page, pageSize: itemsOnPage } }
  const { data } = useLater(listHeldItems, input, { keepPrevious: true })
  return (
    <>
      <RowList label={t('held.title', { count: held.vanishing })}>
        {data?.data.map(({ bookId, path, ...book }) => (
          <ListRow
            key={bookId}
            icon="book"
            title={<AppLink to={paths.book(bookId)}>{nameOf(book)}</AppLink>}
            text={path}
          />
        ))}
      </RowList>
      <Pager
        label={t('held.pageTitle')}
        page={page}
        pages={data?.totalPages ?? 1}
        onGo={(to) => void navigate({ search: { page: to === 1 ? undefined : to } })}
      />
    </>
  )
}
