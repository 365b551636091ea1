import { importBytesMax, importReadList, listReadLists, type MatchReport } from '@carrel/api'
import { Button, FileButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { useChange } from '../../api/queries.ts'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { ImportReport } from './import-report.tsx'

interface CheckedFile {
  readonly body: Uint8Array<ArrayBuffer>
  readonly report: MatchReport
}

/** A .cbl file of another program: first what would be found, then the list. */
export const ImportList = (): ReactNode => {
  const { t } = useTranslation('read-lists')
  const textOf = useProblemText()
  const [checked, setChecked] = useState<CheckedFile>()
  const checkFile = async (file: File | null): Promise<void> => {
    if (!file) return
    try {
      if (file.size > importBytesMax) return toast({ kind: 'problem', text: t('tooLarge') })
      const body = new Uint8Array(await file.arrayBuffer())
      const { body: report } = await call(importReadList, { query: { dryRun: true }, body })
      setChecked({ body, report })
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
  }
  return (
    <>
      <FileButton onChange={(file) => void checkFile(file)} accept=".cbl,application/xml,text/xml">
        {({ onClick }) => (
          <Button variant="default" leftSection={<Icon name="upload" size="small" />} onClick={onClick}>
            {t('import')}
          </Button>
        )}
      </FileButton>
      {checked ? <Confirm {...checked} onClose={() => setChecked(undefined)} /> : null}
    </>
  )
}

const Confirm = ({ body, report, onClose }: CheckedFile & { readonly onClose: () => void }): ReactNode => {
  const { t } = useTranslation('read-lists')
  const textOf = useProblemText()
  const goTo = useGoTo()
  const create = useChange(importReadList, {
    invalidates: [listReadLists],
    onDone: ({ readListId }) => {
      if (readListId !== null) goTo(paths.readList(readListId))()
    },
  })
  return (
    <Dialog
      title={report.name}
      isOpen
      onClose={onClose}
      size="lg"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button loading={create.isPending} onClick={() => create.mutate({ query: {}, body })}>
            {t('createList')}
          </Button>
        </>
      }
    >
      {create.error ? <Notice kind="danger">{textOf(create.error)}</Notice> : null}
      <ImportReport report={report} />
    </Dialog>
  )
}
