import { Button, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../../ui/dialog/dialog.tsx'
import { Row, Stack } from '../../../../ui/layout/layout.tsx'
import { Colours } from './selection-bar.tsx'
import type { Highlight, Marks } from './use-marks.ts'
import styles from './marks.module.css'

interface MarkDialogProps {
  readonly highlight: Highlight | undefined
  readonly marks: Marks
  readonly onClose: () => void
}

const noteMax = 20_000

/** The dialog edits one mark: its colour and its note; it can also delete the mark. */
export const MarkDialog = ({ highlight, marks, onClose }: MarkDialogProps): ReactNode => {
  const { t } = useTranslation('ebook')
  return (
    <Dialog title={t('marks.one')} isOpen={highlight !== undefined} onClose={onClose}>
      {highlight === undefined ? null : (
        <MarkForm key={highlight.id} highlight={highlight} marks={marks} onClose={onClose} />
      )}
    </Dialog>
  )
}

type MarkFormProps = MarkDialogProps & { readonly highlight: Highlight }

const MarkForm = ({ highlight, marks, onClose }: MarkFormProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const [note, setNote] = useState(highlight.note)
  const save = (): void => {
    if (note !== highlight.note) marks.change(highlight, { note })
    onClose()
  }
  return (
    <Stack
      as="form"
      gap={4}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <blockquote className={styles.quote} dir="auto">
        {highlight.quote}
      </blockquote>
      <Colours chosen={highlight.colour} onChoose={(colour) => marks.change(highlight, { colour })} />
      <Textarea
        label={t('marks.note')}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={noteMax}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        data-autofocus
      />
      <Row gap={2} align="stretch" justify="end" wrap>
        <Button
          variant="default"
          onClick={() => {
            onClose()
            void marks.unmark(highlight)
          }}
        >
          {t('marks.remove')}
        </Button>
        <Button type="submit">{t('marks.save')}</Button>
      </Row>
    </Stack>
  )
}
