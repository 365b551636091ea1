import { setUp } from '@carrel/api'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/call.ts'
import { queryClient, useChange } from '../../api/queries.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { PasswordField, TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { NarrowPage } from '../../ui/layout/narrow-page.tsx'
import { ReadingRoom } from '../../ui/state/reading-room.tsx'

/** The first of two steps: an account for whoever runs the server. The second is the first library. */
export const SetupPage = (): ReactNode => {
  const { t } = useTranslation('setup')
  return (
    <NarrowPage title={t('title')} text={t('text')} drawing={<ReadingRoom />}>
      <AccountForm />
    </NarrowPage>
  )
}

const AccountForm = (): ReactNode => {
  const { t } = useTranslation('setup')
  const router = useRouter()
  const textOf = useProblemText()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [token, setToken] = useState('')
  const claim = useChange(setUp, {
    onDone: async () => {
      queryClient.removeQueries()
      await router.navigate({ href: paths.newLibrary({ welcome: '1' }), replace: true })
    },
  })
  // A request from the machine itself needs no token; the server knows that, and says when one is missing.
  const needsToken = claim.error instanceof ApiProblem && claim.error.code === 'not_allowed'
  const [asksForToken, setAsksForToken] = useState(false)
  if (needsToken && !asksForToken) setAsksForToken(true)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    claim.mutate({ body: { username, password, ...(token !== '' && { setupToken: token.trim() }) } })
  }
  const problem = claim.error
    ? needsToken
      ? t(token === '' ? 'tokenNeeded' : 'tokenWrong')
      : textOf(claim.error)
    : undefined
  return (
    <Form onSubmit={submit} problem={problem}>
      <TextField
        label={t('username')}
        autoComplete="username"
        autoCapitalize="none"
        required
        maxLength={64}
        value={username}
        onChange={setUsername}
      />
      <PasswordField
        label={t('password')}
        description={t('passwordHint')}
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
      />
      {asksForToken ? (
        <TextField
          label={t('token')}
          description={t('tokenHint')}
          autoComplete="off"
          required
          maxLength={256}
          value={token}
          onChange={setToken}
        />
      ) : null}
      <Button type="submit" fullWidth loading={claim.isPending}>
        {t('create')}
      </Button>
    </Form>
  )
}
