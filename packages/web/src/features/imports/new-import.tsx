import { continueUpload, type ImportKind, listImports, startImport, startUpload } from '@carrel/api'
import { Button, FileButton, NativeSelect } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblem } from '../../text/problem-text.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Meter } from '../../ui/state/meter.tsx'
import { kinds } from './kinds.ts'

const partBytes = 8 * 1024 * 1024

/** A file or folder that the server can read, or a file from here. Reading changes nothing. */
export const NewImport = (): ReactNode => {
  const { t } = useTranslation('imports')
  const problemOf = useProblem()
  const goTo = useGoTo()
  const [kind, setKind] = useState<ImportKind>('komga')
  const [path, setPath] = useState('')
  const start = useChange(startImport, {
    invalidates: [listImports],
    onDone: ({ importId }) => goTo(paths.oneImport(importId))(),
  })
  const sending = useSending((uploadId) => start.mutate({ body: { kind, source: { uploadId } } }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    start.mutate({ body: { kind, source: { path } } })
  }
  return (
    <Section title={t('new')} text={t('newText')}>
      <Form onSubmit={submit} problem={problemOf(start.error ?? sending.error)}>
        <NativeSelect
          label={t('server')}
          value={kind}
          data={[...kinds]}
          onChange={({ currentTarget: { value } }) =>
            setKind(kinds.find((each) => each.value === value)?.value ?? 'komga')
          }
        />
        <Text quiet>{t(`hint.${kind}`)}</Text>
        <TextField label={t('path')} description={t('pathHint')} dir="ltr" required value={path} onChange={setPath} />
        <Row gap={3} wrap touch>
          <Button type="submit" loading={start.isPending}>
            {t('read')}
          </Button>
          <FileButton onChange={(file) => void sending.send(file)}>
            {({ onClick }) => (
              <Button
                variant="default"
                disabled={sending.share !== undefined}
                leftSection={<Icon name="upload" size="small" />}
                onClick={onClick}
              >
                {t('upload')}
              </Button>
            )}
          </FileButton>
        </Row>
        {sending.share === undefined ? null : <Meter label={t('uploading')} done={sending.share} total={1} />}
      </Form>
    </Section>
  )
}

/** A file is sent in parts, one after the other. */
const useSending = (onSent: (uploadId: string) => void) => {
  const [share, setShare] = useState<number>()
  const begin = useChange(startUpload, {})
  const goOn = useChange(continueUpload, {})
  const send = async (file: File | null): Promise<void> => {
    if (file === null || file.size === 0) return
    setShare(0)
    try {
      const { id } = await begin.mutateAsync({ body: { name: file.name, size: file.size } })
      for (let offset = 0; offset < file.size; offset += partBytes) {
        const part = file.slice(offset, offset + partBytes)
        await goOn.mutateAsync({
          params: { id },
          query: { offset },
          body: new Uint8Array(await part.arrayBuffer()),
        })
        setShare(Math.min(1, (offset + part.size) / file.size))
      }
      onSent(id)
    } catch {
      // What went wrong is shown above the form.
    } finally {
      setShare(undefined)
    }
  }
  return { share, send, error: begin.error ?? goOn.error }
}
