import { readWebhook, saveWebhook } from '@carrel/api'
import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/queries.ts'
import { useProblem } from '../../text/problem-text.ts'
import { Copyable } from '../../ui/form/copyable.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Stack } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import styles from './account.module.css'
import { WebhookRow } from './webhook-row.tsx'

/** The user has notifications sent to an address of their own. */
export const WebhookSection = (): ReactNode => {
  const { t } = useTranslation('account')
  const webhook = useRead(readWebhook, {})
  const [isChanging, setChanging] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <Section title={t('webhook.title')} text={t('webhook.text')}>
      {webhook ? <WebhookRow webhook={webhook} onChange={() => setChanging(true)} /> : null}
      {webhook === undefined || isChanging ? (
        <AddressForm
          before={webhook?.url ?? ''}
          onSaved={(made) => {
            setChanging(false)
            // A new address comes with a new secret, the same address keeps its own.
            setSecret(made)
          }}
        />
      ) : null}
      <Dialog title={t('webhook.secret')} isOpen={secret !== undefined} onClose={() => setSecret(undefined)}>
        <Stack gap={4} className={styles.made}>
          <p>{t('webhook.once')}</p>
          <Copyable label={t('webhook.secret')} text={secret ?? ''} />
          <div>
            <Button onClick={() => setSecret(undefined)}>{t('webhook.done')}</Button>
          </div>
        </Stack>
      </Dialog>
    </Section>
  )
}

interface AddressFormProps {
  readonly before: string
  readonly onSaved: (secret: string) => void
}

const AddressForm = ({ before, onSaved }: AddressFormProps): ReactNode => {
  const { t } = useTranslation('account')
  const problemOf = useProblem()
  const [url, setUrl] = useState(before)
  const save = useChange(saveWebhook, { invalidates: [readWebhook], onDone: ({ secret }) => onSaved(secret) })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate({ body: { url: url.trim() } })
  }
  return (
    <Form onSubmit={submit} problem={problemOf(save.error)}>
      <TextField
        label={t('webhook.address')}
        description={t('webhook.addressHint')}
        type="url"
        required
        maxLength={2000}
        placeholder="https://"
        value={url}
        onChange={setUrl}
      />
      <div>
        <Button type="submit" variant="default" loading={save.isPending}>
          {t('webhook.save')}
        </Button>
      </div>
    </Form>
  )
}
