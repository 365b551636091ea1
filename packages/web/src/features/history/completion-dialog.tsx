import type { ReadCompletion } from '@carrel/api'
import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { dayOfTime, timeOfDay } from './day-of-time.ts'
import type { ReadDates } from './use-read-throughs.ts'

interface CompletionDialogProps {
  /** Absent: a new one. */
  readonly entry: ReadCompletion | undefined
  readonly onSave: (dates: ReadDates) => Promise<void>
  readonly onClose: () => void
}

/** When the book was begun and finished, by the day. */
export const CompletionDialog = ({ entry, onSave, onClose }: CompletionDialogProps): ReactNode => {
  const { t } = useTranslation('history')
  const [now] = useState(() => new Date())
  const today = dayOfTime(now.toISOString())
  const [finished, setFinished] = useState(entry ? dayOfTime(entry.completedAt) : today)
  const [begun, setBegun] = useState(entry ? dayOfTime(entry.startedAt) : '')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const completedAt = timeOfDay(finished, entry?.completedAt, now)
    const started = begun === '' ? completedAt : timeOfDay(begun, entry?.startedAt, now)
    void onSave({ completedAt, startedAt: started > completedAt ? completedAt : started })
    onClose()
  }
  return (
    <Dialog title={entry ? t('changeDates') : t('add')} isOpen onClose={onClose} size="sm">
      <Form onSubmit={submit}>
        <TextField
          label={t('finishedOn')}
          type="date"
          required
          data-autofocus
          min="1970-01-01"
          max={today}
          value={finished}
          onChange={setFinished}
        />
        <TextField
          label={t('begunOn')}
          description={t('begunHint')}
          type="date"
          min="1970-01-01"
          max={finished}
          value={begun}
          onChange={setBegun}
        />
        <div>
          <Button type="submit">{t('save')}</Button>
        </div>
      </Form>
    </Dialog>
  )
}
