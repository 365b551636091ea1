import { createApiKey, type DownloadMetadata, listApiKeys } from '@carrel/api'
import { Button, Select } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblem } from '../../text/problem-text.ts'
import { Copyable } from '../../ui/form/copyable.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Stack } from '../../ui/layout/layout.tsx'
import styles from './account.module.css'
import { KeyDownloads } from './key-downloads.tsx'

interface NewKeyProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

const lifetimes = ['0', '30', '90', '365'] as const
const dayMs = 86_400_000
/** It makes a key and shows it this once. */
export const NewKey = ({ isOpen, onClose }: NewKeyProps): ReactNode => {
  const { t } = useTranslation('account')
  const problemOf = useProblem()
  const [name, setName] = useState('')
  const [days, setDays] = useState('0')
  const [metadata, setMetadata] = useState<DownloadMetadata | null>(null)
  const create = useChange(createApiKey, { invalidates: [listApiKeys] })
  const close = (): void => {
    onClose()
    setName('')
    create.reset()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const expiresAt = days === '0' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString()
    create.mutate({ body: { name, expiresAt, downloadMetadata: metadata } })
  }
  return (
    <Dialog title={t('keys.make')} isOpen={isOpen} onClose={close}>
      {create.data ? (
        <Made secret={create.data.key} onClose={close} />
      ) : (
        <Form onSubmit={submit} problem={problemOf(create.error)}>
          <TextField
            label={t('keys.name')}
            description={t('keys.nameHint')}
            data-autofocus
            required
            maxLength={100}
            value={name}
            onChange={setName}
          />
          <Select
            label={t('keys.lifetime')}
            allowDeselect={false}
            value={days}
            data={lifetimes.map((value) => ({ value, label: t(`keys.days.${value}`) }))}
            onChange={(value) => setDays(value ?? '0')}
          />
          <KeyDownloads label={t('keys.downloads')} value={metadata} onChange={setMetadata} />
          <div>
            <Button type="submit" loading={create.isPending}>
              {t('keys.make')}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  )
}

const Made = ({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }): ReactNode => {
  const { t } = useTranslation('account')
  return (
    <Stack gap={4} className={styles.made}>
      <p>{t('keys.once')}</p>
      <Copyable label={t('keys.key')} text={secret} />
      <div>
        <Button onClick={onClose}>{t('keys.done')}</Button>
      </div>
    </Stack>
  )
}
