import { login, readMe } from '@carrel/api'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/call.ts'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../problem-text.ts'
import { Gate } from '../../ui/gate.tsx'
import { Form } from '../../ui/form.tsx'

const route = getRouteApi('/sign-in')

/** Only an address of our own: nobody is led elsewhere by a link they were sent. */
const ownAddress = (from: string | undefined): string => (from !== undefined && /^\/(?![/\\])/.test(from) ? from : '/')

export const SignInPage = (): ReactNode => {
  const { t } = useTranslation('sign-in')
  const router = useRouter()
  const { from } = route.useSearch()
  const textOf = useProblemText()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useChange(login, {
    invalidates: [readMe],
    onDone: () => router.navigate({ href: ownAddress(from), replace: true }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    signIn.mutate({ body: { username, password } })
  }
  const isWrong = signIn.error instanceof ApiProblem && signIn.error.code === 'not_authenticated'
  const problem = signIn.error ? (isWrong ? t('wrong') : textOf(signIn.error)) : undefined
  return (
    <Gate title={t('title')}>
      <Form onSubmit={submit} problem={problem}>
        <TextInput
          label={t('username')}
          autoComplete="username"
          autoCapitalize="none"
          required
          withAsterisk={false}
          value={username}
          onChange={({ currentTarget }) => setUsername(currentTarget.value)}
        />
        <PasswordInput
          label={t('password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={signIn.isPending}>
          {t('signIn')}
        </Button>
      </Form>
    </Gate>
  )
}
