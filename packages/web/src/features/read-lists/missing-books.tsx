import { listMissingOfReadList, type MissingEntry, removeMissingOfReadList } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../api/queries.ts'
import { useSayFailure } from '../../text/say-failure.ts'
import { Row, Stack } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import styles from './read-lists.module.css'
import { importedBookText } from './imported-book-text.ts'

const pageSize = 100

/**
 * It lists the missing entries of an imported list. Their positions are kept: a book that is found later takes its own.
 */
export const MissingBooks = ({ id }: { readonly id: string }): ReactNode => {
  const { t } = useTranslation('read-lists')
  const [page, setPage] = useState(1)
  const { data } = useLater(
    listMissingOfReadList,
    { params: { id }, query: { page, pageSize } },
    { keepPrevious: true },
  )
  const drop = useChange(removeMissingOfReadList, {
    invalidates: [listMissingOfReadList],
    onError: useSayFailure(),
  })
  if (!data || data.total === 0) return null
  return (
    <Section title={t('missing', { count: data.total })} text={t('missingText')}>
      <Stack as="ul">
        {data.data.map((entry: MissingEntry) => (
          <Row as="li" key={entry.id} gap={3} justify="between" className={styles.missing}>
            <span dir="auto">{importedBookText(entry)}</span>
            <Button
              variant="subtle"
              aria-label={t('notWaitFor', { book: importedBookText(entry) })}
              onClick={() => drop.mutate({ params: { id, entryId: entry.id } })}
            >
              {t('notWait')}
            </Button>
          </Row>
        ))}
      </Stack>
      {data.totalPages > 1 ? (
        <Row gap={2} align="stretch">
          <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('earlier')}
          </Button>
          <Button variant="default" disabled={page >= data.totalPages} onClick={() => setPage(page + 1)}>
            {t('later')}
          </Button>
        </Row>
      ) : null}
    </Section>
  )
}
