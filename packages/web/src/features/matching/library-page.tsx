import { listLibraryJobs, readLibrary } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AdministeredLibrary } from '../../scans/administered-library.tsx'
import { useRead } from '../../api/queries.ts'
import { useProviders } from '../../session/providers.ts'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { JobDialog } from './job-dialog.tsx'
import { JobRow } from './job-row.tsx'
import { MatchNow } from './match-now.tsx'
import { NoPlugin } from './no-plugin.tsx'
import { TaskLine } from './task-line.tsx'
import { useLatestTask } from './use-latest-task.ts'

const route = getRouteApi('/signed-in/framed/administered/admin/libraries/$libraryId/matching')

/** The page has plugins asked about a whole library, once or on a schedule. */
export const LibraryMatchingPage = (): ReactNode => {
  const { libraryId } = route.useParams()
  const library = useRead(readLibrary, { params: { id: libraryId } })
  const providers = useProviders('series', libraryId)
  const { jobs } = useRead(listLibraryJobs, { params: { id: libraryId } })
  const bookProviders = useProviders('book', libraryId)
  const every = [...new Map([...providers, ...bookProviders].map((each) => [each.pluginId, each])).values()]
  return (
    <AdministeredLibrary library={library}>
      {every.length === 0 ? <NoPlugin of="library" /> : null}
      {providers.length === 0 ? null : <MatchNow key={libraryId} libraryId={libraryId} providers={providers} />}
      {every.length === 0 && jobs.length === 0 ? null : <Jobs libraryId={libraryId} providers={every} />}
    </AdministeredLibrary>
  )
}

interface JobsProps {
  readonly libraryId: string
  readonly providers: ReturnType<typeof useProviders>
}

const Jobs = ({ libraryId, providers }: JobsProps): ReactNode => {
  const { t } = useTranslation('matching')
  const { jobs } = useRead(listLibraryJobs, { params: { id: libraryId } })
  const { job: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const open = (job: string | undefined): void => void navigate({ search: { job } })
  const task = useLatestTask(libraryId, 'refresh_matches')
  const job = jobs.find(({ id }) => id === chosen)
  const isOpen = job !== undefined || (chosen === 'new' && providers.length > 0)
  return (
    <Section
      title={t('jobs.title')}
      text={t('jobs.text')}
      actions={
        providers.length === 0 ? undefined : (
          <Button variant="default" leftSection={<Icon name="plus" size="small" />} onClick={() => open('new')}>
            {t('jobs.new')}
          </Button>
        )
      }
    >
      {jobs.length === 0 ? <Text quiet>{t('jobs.none')}</Text> : null}
      <RowList label={t('jobs.title')}>
        {jobs.map((each) => (
          <JobRow key={each.id} job={each} providers={providers} onEdit={() => open(each.id)} />
        ))}
      </RowList>
      {task === undefined ? null : <TaskLine task={task} label={t('jobs.running')} />}
      {isOpen ? (
        <JobDialog key={chosen} libraryId={libraryId} providers={providers} job={job} onClose={() => open(undefined)} />
      ) : null}
    </Section>
  )
}
