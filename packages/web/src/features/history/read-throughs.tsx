import { readReadHistory, type ReadCompletion } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { useTimeText } from '../../text/time-text.ts'
import { IconAction } from '../../ui/action-menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { CompletionDialog } from './completion-dialog.tsx'
import styles from './history.module.css'
import { type ReadDates, useReadThroughs } from './use-read-throughs.ts'

/** Each time the book was read to its end, also elsewhere, to be put right. */
export const ReadThroughs = ({ bookId }: { readonly bookId: string }): ReactNode => {
  const { t } = useTranslation('history')
  const { entries, readCount } = useRead(readReadHistory, { params: { id: bookId } })
  const [edited, setEdited] = useState<ReadCompletion | 'new'>()
  const { add, change, remove } = useReadThroughs(bookId)
  const mayWrite = useMay('progress:write')
  const onSave = edited === undefined || edited === 'new' ? add : (dates: ReadDates) => change(edited, dates)
  return (
    <Section
      title={t('times')}
      text={t('timesCount', { count: readCount })}
      actions={
        mayWrite ? (
          <Button
            variant="default"
            className={styles.button ?? ''}
            leftSection={<Icon name="plus" size="small" />}
            onClick={() => setEdited('new')}
          >
            {t('add')}
          </Button>
        ) : null
      }
    >
      {entries.length === 0 ? null : (
        <RowList label={t('times')}>
          {entries.map((entry) => (
            <Completion
              key={entry.id}
              entry={entry}
              onEdit={mayWrite ? () => setEdited(entry) : undefined}
              onRemove={() => void remove(entry)}
            />
          ))}
        </RowList>
      )}
      {edited === undefined ? null : (
        <CompletionDialog
          entry={edited === 'new' ? undefined : edited}
          onSave={onSave}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  )
}

interface CompletionProps {
  readonly entry: ReadCompletion
  readonly onEdit: (() => void) | undefined
  readonly onRemove: () => void
}

const Completion = ({ entry: { startedAt, completedAt }, onEdit, onRemove }: CompletionProps): ReactNode => {
  const { t } = useTranslation('history')
  const { day } = useTimeText()
  const [from, to] = [day(startedAt), day(completedAt)]
  return (
    <ListRow
      icon="check"
      title={to}
      text={from === to ? undefined : t('begun', { day: from })}
      actions={
        onEdit === undefined ? null : (
          <>
            <IconAction icon="edit" label={t('edit', { day: to })} onClick={onEdit} />
            <IconAction icon="trash" label={t('remove', { day: to })} onClick={onRemove} />
          </>
        )
      }
    />
  )
}
