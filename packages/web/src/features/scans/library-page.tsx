import { listRelinks, readHeldChanges, readLibrary } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AdministeredLibrary } from '../../scans/administered-library.tsx'
import { useRead } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { Notice } from '../../ui/state/state.tsx'
import { HeldCard } from './held-card.tsx'
import { itemsOnPage } from './on-page.ts'
import { Purge } from './purge.tsx'
import { Relinks } from './relinks.tsx'
import { ScanHistory } from './scan-history.tsx'
import { ScanPanel } from './scan-panel.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/libraries/$libraryId')

/** The page shows what goes on in a library, what waits for a decision, and what was done. */
export const AdminLibraryPage = (): ReactNode => {
  const { t } = useTranslation('scans')
  const params = { id: route.useParams().libraryId }
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const library = useRead(readLibrary, { params })
  const { held } = useRead(readHeldChanges, { params })
  const relinks = useRead(listRelinks, { params, query: { pageSize: itemsOnPage } })
  const mayDelete = useMay('libraries:delete')
  return (
    <AdministeredLibrary library={library}>
      {library.status === 'unavailable' ? <Notice kind="warning">{t('unavailable')}</Notice> : null}
      <ScanPanel library={library} />
      {held === null ? null : <HeldCard libraryId={library.id} held={held} />}
      {relinks.total === 0 ? null : <Relinks libraryId={library.id} relinks={relinks} />}
      <ScanHistory
        libraryId={library.id}
        page={page}
        onGo={(to) => void navigate({ search: { page: to === 1 ? undefined : to } })}
      />
      {mayDelete ? <Purge library={library} /> : null}
    </AdministeredLibrary>
  )
}
