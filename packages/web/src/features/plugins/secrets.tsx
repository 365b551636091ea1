import { addressOf, finishUserPluginSignIn, type PluginDto } from '@carrel/api'
import { Button, PasswordInput, Textarea } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { Copyable } from '../../ui/form/copyable.tsx'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { linesOf } from './lines.ts'
import styles from './plugins.module.css'
import { useUpdatePlugin } from './use-update-plugin.ts'

/** Secrets go in and never come out again: they are entered again as a whole, or deleted. */
export const Secrets = (props: { readonly plugin: PluginDto }): ReactNode => (
  <>
    <Credentials {...props} />
    <Variables {...props} />
  </>
)

const Credentials = ({ plugin }: { readonly plugin: PluginDto }): ReactNode => {
  const { t } = useTranslation('plugins')
  const { save, isPending, problem } = useUpdatePlugin(plugin)
  const [words, setWords] = useState<Readonly<Record<string, string>>>({})
  const { requiredCredentials: fields = [], oauth = null } = plugin.manifest ?? {}
  const hasCredentials = plugin.hasCredentials || plugin.oauthClientId !== null || plugin.hasOauthClientSecret
  const given = Object.fromEntries(Object.entries(words).filter(([, value]) => value !== ''))
  const send = (credentials: Record<string, string> | null): void =>
    save({ body: { credentials }, onDone: () => setWords({}) })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send(given)
  }
  const stateWhenEmpty = fields.length > 0 || oauth ? 'missing' : 'none'
  const state = hasCredentials ? 'there' : plugin.manifest === null ? 'testFirst' : stateWhenEmpty
  return (
    <Section title={t('credentials.title')} text={t(`credentials.${state}`)}>
      <Form onSubmit={submit} problem={problem}>
        {fields.map(({ key, label, description, required, sensitive }) => {
          const isUsersOwn = key === 'access_token' && plugin.manifest?.capabilities.userRecommendationProvider === true
          const field = {
            name: key,
            label,
            description: [description, isUsersOwn && t('credentials.usersOwn')].filter(Boolean).join(' '),
            required: required && !isUsersOwn,
            withAsterisk: false,
            autoComplete: 'off',
            maxLength: 16_384,
            value: words[key] ?? '',
          }
          const set = (value: string): void => setWords({ ...words, [key]: value })
          return sensitive ? (
            <PasswordInput key={key} {...field} onChange={({ currentTarget }) => set(currentTarget.value)} />
          ) : (
            <TextField key={key} {...field} onChange={set} />
          )
        })}
        {oauth ? <ClientFields plugin={plugin} words={words} onChange={setWords} /> : null}
        <Row gap={2} wrap touch>
          {fields.length === 0 && !oauth ? null : (
            <Button type="submit" loading={isPending} disabled={Object.keys(given).length === 0}>
              {t(hasCredentials ? 'credentials.replace' : 'credentials.save')}
            </Button>
          )}
          {hasCredentials ? (
            <Button variant="default" loading={isPending} onClick={() => send(null)}>
              {t('credentials.forget')}
            </Button>
          ) : null}
        </Row>
      </Form>
    </Section>
  )
}

interface ClientFieldsProps {
  readonly plugin: PluginDto
  readonly words: Readonly<Record<string, string>>
  readonly onChange: (words: Readonly<Record<string, string>>) => void
}

/** The client credentials identify Carrel to the service where users sign in. */
const ClientFields = ({ plugin, words, onChange }: ClientFieldsProps): ReactNode => {
  const { t } = useTranslation('plugins')
  const { oauthClientId, manifest } = plugin
  const hints = [
    oauthClientId === null ? '' : t('credentials.clientIdNow', { id: oauthClientId }),
    manifest?.oauth?.clientId == null ? '' : t('credentials.clientIdOwn'),
  ]
  const common = { autoComplete: 'off', maxLength: 16_384, withAsterisk: false }
  return (
    <Stack as="fieldset" gap={4} className={styles.group}>
      <legend>{t('credentials.signingIn')}</legend>
      <Text quiet size={13}>
        {t('credentials.signingInText')}
      </Text>
      <Copyable
        label={t('credentials.address')}
        text={`${window.location.origin}${basePath}${addressOf(finishUserPluginSignIn, {})}`}
      />
      <TextField
        {...common}
        label={t('credentials.clientId')}
        description={hints.filter((hint) => hint !== '').join(' ')}
        value={words['oauth_client_id'] ?? ''}
        onChange={(value) => onChange({ ...words, oauth_client_id: value })}
      />
      <PasswordInput
        {...common}
        label={t('credentials.clientSecret')}
        description={t('credentials.clientSecretText')}
        value={words['oauth_client_secret'] ?? ''}
        onChange={({ currentTarget }) => onChange({ ...words, oauth_client_secret: currentTarget.value })}
      />
    </Stack>
  )
}

const variableOf = (line: string): { key: string; value: string } => {
  const [key = '', ...value] = line.split('=')
  return { key: key.trim(), value: value.join('=') }
}

const Variables = ({ plugin }: { readonly plugin: PluginDto }): ReactNode => {
  const { t } = useTranslation('plugins')
  const { save, isPending, problem } = useUpdatePlugin(plugin)
  const [lines, setLines] = useState('')
  const names = plugin.env.map(({ key }) => key)
  const send = (env: { key: string; value: string }[]): void => save({ body: { env }, onDone: () => setLines('') })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send(linesOf(lines).map(variableOf))
  }
  return (
    <Section
      title={t('variables.title')}
      text={names.length === 0 ? t('variables.none') : t('variables.there', { names: names.join(', ') })}
    >
      <Form onSubmit={submit} problem={problem}>
        <Textarea
          label={t(names.length === 0 ? 'variables.label' : 'variables.anew')}
          description={t('variables.hint')}
          placeholder="LEVEL=3"
          autosize
          minRows={2}
          maxRows={10}
          autoComplete="off"
          spellCheck={false}
          value={lines}
          onChange={({ currentTarget }) => setLines(currentTarget.value)}
        />
        <Row gap={2} wrap touch>
          <Button type="submit" variant="default" loading={isPending} disabled={linesOf(lines).length === 0}>
            {t('variables.save')}
          </Button>
          {names.length === 0 ? null : (
            <Button variant="default" loading={isPending} onClick={() => send([])}>
              {t('variables.forget')}
            </Button>
          )}
        </Row>
      </Form>
    </Section>
  )
}
