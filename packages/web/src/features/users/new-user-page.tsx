import { createUser, listUsers, type Role } from '@carrel/api'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/call.ts'
import { useChange } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { PageMissing } from '../../frame/page-states.tsx'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { NewPassword } from './new-password.tsx'
import { RoleField } from './role-field.tsx'

/** An account for somebody: name, password, role. What they see is decided on the page that follows. */
export const NewUserPage = (): ReactNode => {
  const { t } = useTranslation('users')
  if (!useMay('users:write')) return <PageMissing />
  return (
    <Page title={t('newTitle')} subtitle={t('newText')} width="narrow">
      <NewUserForm />
    </Page>
  )
}

const NewUserForm = (): ReactNode => {
  const { t } = useTranslation('users')
  const { create, problem } = useCreate()
  const [username, setUsername] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [role, setRole] = useState<Role>('reader')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({ body: { username: username.trim(), email: email.trim() || null, password, role } })
  }
  return (
    <Form onSubmit={submit} problem={problem}>
      <TextField
        label={t('username')}
        description={t('usernameHint')}
        autoComplete="off"
        autoCapitalize="none"
        required
        maxLength={64}
        pattern="[^@]+"
        value={username}
        onChange={setUsername}
      />
      <TextField
        label={t('emailOptional')}
        description={t('emailHint')}
        type="email"
        autoComplete="off"
        maxLength={254}
        value={email}
        onChange={setEmail}
      />
      <NewPassword label={t('password')} value={password} onChange={setPassword} />
      <RoleField role={role} onChange={setRole} />
      <Row gap={2} wrap touch>
        <Button type="submit" loading={create.isPending}>
          {t('create')}
        </Button>
        <Button component={AppLink} to={paths.users()} variant="default">
          {t('cancel')}
        </Button>
      </Row>
    </Form>
  )
}

const useCreate = () => {
  const { t } = useTranslation('users')
  const textOf = useProblemText()
  const router = useRouter()
  const mayGiveAccess = useMay('system:admin')
  const create = useChange(createUser, {
    invalidates: [listUsers],
    onDone: async ({ id, username }) => {
      await router.navigate({ href: mayGiveAccess ? paths.userAccess(id) : paths.user(id), replace: true })
      toast({ text: t('created', { name: username }) })
    },
  })
  const isTaken = create.error instanceof ApiProblem && create.error.code === 'already_exists'
  return { create, problem: create.error ? (isTaken ? t('taken') : textOf(create.error)) : undefined }
}
