import type { PluginDto } from '@carrel/api'
import { Button, PasswordInput, Textarea } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { linesOf } from './lines.ts'
import styles from './plugins.module.css'
import { useUpdatePlugin } from './use-update-plugin.ts'

/** What goes in and never comes out again: entered anew as a whole, or forgotten. */
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
  const fields = plugin.manifest?.requiredCredentials ?? []
  const { hasCredentials } = plugin
  const given = Object.fromEntries(Object.entries(words).filter(([, value]) => value !== ''))
  const send = (credentials: Record<string, string> | null): void =>
    save({ body: { credentials }, onDone: () => setWords({}) })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send(given)
  }
  const asked = fields.length > 0 ? 'missing' : 'none'
  const state = hasCredentials ? 'there' : plugin.manifest === null ? 'testFirst' : asked
  return (
    <Section title={t('credentials.title')} text={t(`credentials.${state}`)}>
      <Form onSubmit={submit} problem={problem}>
        {fields.map(({ key, label, description, required, sensitive }) => {
          const field = {
            name: key,
            label,
            description: description ?? undefined,
            required,
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
        <div className={styles.buttons}>
          {fields.length === 0 ? null : (
            <Button type="submit" loading={isPending} disabled={Object.keys(given).length === 0}>
              {t(hasCredentials ? 'credentials.replace' : 'credentials.save')}
            </Button>
          )}
          {hasCredentials ? (
            <Button variant="default" loading={isPending} onClick={() => send(null)}>
              {t('credentials.forget')}
            </Button>
          ) : null}
        </div>
      </Form>
    </Section>
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
        <div className={styles.buttons}>
          <Button type="submit" variant="default" loading={isPending} disabled={linesOf(lines).length === 0}>
            {t('variables.save')}
          </Button>
          {names.length === 0 ? null : (
            <Button variant="default" loading={isPending} onClick={() => send([])}>
              {t('variables.forget')}
            </Button>
          )}
        </div>
      </Form>
    </Section>
  )
}
