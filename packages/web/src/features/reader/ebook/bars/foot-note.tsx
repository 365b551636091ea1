import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../../ui/dialog/dialog.tsx'
import styles from './foot-note.module.css'

interface FootNoteProps {
  /** Its paragraphs; undefined while none is open. */
  readonly note: readonly string[] | undefined
  readonly onClose: () => void
  readonly onGo: () => void
}

/** A note, where one reads: one need not leave the page for it. */
export const FootNote = ({ note, onClose, onGo }: FootNoteProps): ReactNode => {
  const { t } = useTranslation('ebook')
  return (
    <Dialog
      title={t('note.title')}
      isOpen={note !== undefined}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onGo}>
          {t('note.go')}
        </Button>
      }
    >
      <div className={styles.note}>
        {(note ?? []).map((paragraph, index) => (
          <p key={index} dir="auto">
            {paragraph}
          </p>
        ))}
      </div>
    </Dialog>
  )
}
