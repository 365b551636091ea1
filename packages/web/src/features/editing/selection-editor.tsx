import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { BulkForm } from './bulk-form.tsx'
import type { EntityKind } from './entities.ts'

interface EditorProps {
  readonly ids: readonly string[]
  readonly onClose: () => void
}

export const SeriesEditor = (props: EditorProps): ReactNode => <Editor kind="series" {...props} />
export const BooksEditor = (props: EditorProps): ReactNode => <Editor kind="book" {...props} />

/** It edits the entries chosen in a list together, in a dialog over the list. */
const Editor = ({ kind, ids, onClose }: EditorProps & { readonly kind: EntityKind }): ReactNode => {
  const { t } = useTranslation('editing')
  return (
    <Dialog title={t(`bulk.title.${kind}`)} isOpen onClose={onClose}>
      <BulkForm
        kind={kind}
        target={{ ids }}
        closing={
          <Button variant="default" onClick={onClose}>
            {t('bulk.close')}
          </Button>
        }
      />
    </Dialog>
  )
}
