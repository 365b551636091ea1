import { continueUpload, type ImportKind, listImports, startImport, startUpload } from '@carrel/api'
import { Button, FileButton, NativeSelect } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblem } from '../../text/problem-text.ts'
import { PasswordField, TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Meter } from '../../ui/state/meter.tsx'
import { kindWithAddress, kinds } from './kinds.ts'

const partBytes = 8 * 1024 * 1024

/** A file or folder that the server can read, a file from here, or a server that runs. Reading changes nothing. */
export const NewImport = (): ReactNode => {
  const { t } = useTranslation('imports')
  const [kind, setKind] = useState<ImportKind>('komga')
  const [isAsked, setAsked] = useState(false)
  const addressKind = kindWithAddress(kind)
  return (
    <Section title={t('new')} text={t('newText')}>
      <NativeSelect
        label={t('server')}
        value={kind}
        data={[...kinds]}
        onChange={({ currentTarget: { value } }) =>
          setKind(kinds.find((each) => each.value === value)?.value ?? 'komga')
        }
      />
      {addressKind === undefined ? null : (
        <NativeSelect
          label={t('from')}
          value={isAsked ? 'address' : 'file'}
          data={[
            { value: 'file', label: t('fromFile') },
            { value: 'address', label: t('fromAddress') },
          ]}
          onChange={({ currentTarget: { value } }) => setAsked(value === 'address')}
        />
      )}
      {addressKind !== undefined && isAsked ? <FromAddress kind={addressKind} /> : <FromFile kind={kind} />}
    </Section>
  )
}

const useStart = () => {
  const goTo = useGoTo()
  return useChange(startImport, {
    invalidates: [listImports],
    onDone: ({ importId }) => goTo(paths.oneImport(importId))(),
  })
}

const FromAddress = ({ kind }: { readonly kind: NonNullable<ReturnType<typeof kindWithAddress>> }): ReactNode => {
  const { t } = useTranslation('imports')
  const problemOf = useProblem()
  const [url, setUrl] = useState('')
  const [apiKey, setApiKey] = useState('')
  const start = useStart()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    start.mutate({ body: { kind, source: { url, ...(apiKey !== '' && { apiKey }) } } })
  }
  return (
    <Form onSubmit={submit} problem={problemOf(start.error)}>
      <TextField
        label={t('address')}
        description={t(`addressHint.${kind}`)}
        dir="ltr"
        required
        value={url}
        onChange={setUrl}
      />
      <PasswordField
        label={t(kind === 'codex' ? 'password' : 'key')}
        autoComplete="off"
        required={false}
        dir="ltr"
        value={apiKey}
        onChange={setApiKey}
      />
      <Text quiet>{t('addressText')}</Text>
      <div>
        <Button type="submit" loading={start.isPending}>
          {t('read')}
        </Button>
      </div>
    </Form>
  )
}

const FromFile = ({ kind }: { readonly kind: ImportKind }): ReactNode => {
  const { t } = useTranslation('imports')
  const problemOf = useProblem()
  const [path, setPath] = useState('')
  const start = useStart()
  const sending = useSending((uploadId) => start.mutate({ body: { kind, source: { uploadId } } }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    start.mutate({ body: { kind, source: { path } } })
  }
  return (
    <Form onSubmit={submit} problem={problemOf(start.error ?? sending.error)}>
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
