import {
  beginUserPluginSignIn,
  listUserPlugins,
  readRecommendations,
  saveUserPluginCredentials,
  type UserPluginDto,
} from '@carrel/api'
import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblem, useProblemText } from '../../text/problem-text.ts'
import { Form } from '../../ui/form/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './account.module.css'

interface Props {
  readonly plugin: UserPluginDto
}

/** A user connects by signing in at the plugin's service, or with a token of their own. */
export const ConnectPlugin = ({ plugin }: Props): ReactNode => {
  const { t } = useTranslation('account')
  const { requiresOauth, oauthConfigured, takesToken } = plugin
  if (!requiresOauth && !takesToken) return null
  return (
    <>
      {requiresOauth && oauthConfigured ? <SignIn plugin={plugin} /> : null}
      {requiresOauth && !oauthConfigured ? (
        <Text quiet size={13}>
          {t('plugins.notSetUp')}
        </Text>
      ) : null}
      {takesToken ? (
        <details className={styles.fold}>
          <summary>{t(requiresOauth ? 'plugins.tokenInstead' : 'plugins.token')}</summary>
          <TokenForm plugin={plugin} />
        </details>
      ) : null}
    </>
  )
}

const SignIn = ({ plugin: { id, connection, pluginDisplayName: name } }: Props): ReactNode => {
  const { t } = useTranslation('account')
  const textOf = useProblemText()
  const [isLeaving, setLeaving] = useState(false)
  const begin = useChange(beginUserPluginSignIn, {
    onDone: ({ redirectUrl }) => {
      setLeaving(true)
      window.location.assign(redirectUrl)
    },
  })
  return (
    <Stack gap={3} align="start" className={styles.connect}>
      {begin.error ? <Notice kind="danger">{textOf(begin.error)}</Notice> : null}
      <Button
        variant={connection === null || connection.problem !== null ? 'filled' : 'default'}
        leftSection={<Icon name="person" size="small" />}
        loading={begin.isPending || isLeaving}
        onClick={() => begin.mutate({ params: { id } })}
      >
        {t(connection === null ? 'plugins.signIn' : 'plugins.signInAgain', { name })}
      </Button>
    </Stack>
  )
}

const TokenForm = ({ plugin: { id, connection, pluginDisplayName: name } }: Props): ReactNode => {
  const { t } = useTranslation('account')
  const problemOf = useProblem()
  const [token, setToken] = useState('')
  const save = useChange(saveUserPluginCredentials, {
    invalidates: [listUserPlugins, readRecommendations],
    onDone: () => {
      setToken('')
      toast({ text: t('plugins.connected', { name }) })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate({ params: { id }, body: { accessToken: token.trim() } })
  }
  return (
    <Form onSubmit={submit} problem={problemOf(save.error)}>
      <PasswordInput
        label={t('plugins.tokenLabel')}
        description={t('plugins.tokenHint')}
        required
        withAsterisk={false}
        autoComplete="off"
        maxLength={16_384}
        value={token}
        onChange={({ currentTarget }) => setToken(currentTarget.value)}
      />
      <div>
        <Button type="submit" variant="default" loading={save.isPending} disabled={token.trim() === ''}>
          {t(connection === null ? 'plugins.connect' : 'plugins.replaceToken')}
        </Button>
      </div>
    </Form>
  )
}
