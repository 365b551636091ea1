import { listScans, scanErrorCodes, type ScanStatus } from '@carrel/api'
import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useTimeText } from '../../text/time-text.ts'
import { ServerWords } from '../../ui/state/server-words.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { scansOnPage } from './on-page.ts'
import styles from './scan-history.module.css'
import { useScanText } from './scan-text.ts'

interface ScanHistoryProps {
  readonly libraryId: string
  readonly page: number
  readonly onGo: (page: number) => void
}

export const ScanHistory = ({ libraryId, page, onGo }: ScanHistoryProps): ReactNode => {
  const { t } = useTranslation('scans')
  const input = { params: { id: libraryId }, query: { page, pageSize: scansOnPage } }
  const { data } = useLater(listScans, input, { keepPrevious: true })
  return (
    <Section title={t('history')}>
      {data?.total === 0 ? <EmptyState icon="clock" title={t('neverScanned')} /> : null}
      <RowList label={t('history')}>
        {data?.data.map((scan) => (
          <ScanRow key={scan.id} scan={scan} />
        ))}
      </RowList>
      <Pager label={t('history')} page={page} pages={data?.totalPages ?? 1} onGo={onGo} />
    </Section>
  )
}

const markOf = {
  pending: 'plain',
  processing: 'busy',
  held: 'warning',
  completed: 'good',
  completed_with_errors: 'warning',
  failed: 'danger',
  cancelled: 'plain',
} as const

const ScanRow = ({ scan }: { readonly scan: ScanStatus }): ReactNode => {
  const { t } = useTranslation('scans')
  const { moment, span } = useTimeText()
  const { kind, figures } = useScanText()
  const { status, startedAt, completedAt, errors, errorCount } = scan
  const took = startedAt !== null && completedAt !== null ? Date.parse(completedAt) - Date.parse(startedAt) : undefined
  return (
    <ListRow
      title={startedAt === null ? t('notBegun') : moment(startedAt)}
      mark={<Mark kind={markOf[status]}>{t(`status.${status}`)}</Mark>}
      text={[kind(scan), took === undefined ? undefined : t('took', { time: span(took) }), figures(scan)]
        .filter((part) => part !== undefined)
        .join(' · ')}
    >
      {errors.length === 0 ? null : (
        <details className={styles.errors}>
          <summary>{t('showErrors', { count: errorCount })}</summary>
          <Box component="ul" tabIndex={0} aria-label={t('showErrors', { count: errorCount })}>
            {errors.map(({ path, code, message }, index) => (
              <li key={index}>
                <span className={styles.path}>{path}</span>{' '}
                {t(`problem.${scanErrorCodes.find((each) => each === code) ?? 'failed'}`)}
                <ServerWords text={`${code}: ${message}`} />
              </li>
            ))}
          </Box>
          {errorCount > errors.length ? <p>{t('moreErrors', { count: errorCount - errors.length })}</p> : null}
        </details>
      )}
    </ListRow>
  )
}
