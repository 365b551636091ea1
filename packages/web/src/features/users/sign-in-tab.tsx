import { type ApiKeyDto, createOneTimeLink, deleteApiKey, listApiKeys, updateApiKey, type UserDto } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { useChange, useLater } from '../../api/queries.ts'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Copyable } from '../../ui/form/copyable.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { keysInput } from './every.ts'
import { NewPassword } from './new-password.tsx'
import { Sessions } from './sessions.tsx'
import { useUpdateUser } from './use-update-user.ts'
import { UserFrame } from './user-frame.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/users/$userId/sign-in')

/** The tab shows how a user signs in: password, sessions, keys. */
export const SignInTab = (): ReactNode => {
  const { userId } = route.useParams()
  const mayChange = useMay('users:write')
  const seesKeys = useMay('system:admin')
  return (
    <UserFrame id={userId}>
      {(user) => (
        <>
          {mayChange ? <PasswordForm key={user.id} user={user} /> : null}
          {mayChange ? <OneTimeLink key={`${user.id} link`} id={user.id} /> : null}
          {seesKeys ? <Sessions user={user} /> : null}
          {seesKeys ? <Keys user={user} /> : null}
        </>
      )}
    </UserFrame>
  )
}

const PasswordForm = ({ user }: { readonly user: UserDto }): ReactNode => {
  const { t } = useTranslation('users')
  const [password, setPassword] = useState('')
  const { save, isPending, problem } = useUpdateUser(user)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save({
      body: { password },
      text: t('signIn.passwordSet', { name: user.username }),
      onDone: () => setPassword(''),
    })
  }
  return (
    <Section title={t('signIn.password')} text={t('signIn.passwordText')}>
      <Form onSubmit={submit} problem={problem}>
        <NewPassword label={t('signIn.newPassword')} value={password} onChange={setPassword} />
        <Row gap={2} wrap touch>
          <Button type="submit" loading={isPending}>
            {t('signIn.setPassword')}
          </Button>
        </Row>
      </Form>
    </Section>
  )
}

/** Nobody but the person learns the password that way. */
const OneTimeLink = ({ id }: { readonly id: string }): ReactNode => {
  const { t } = useTranslation('users')
  const textOf = useProblemText()
  const make = useChange(createOneTimeLink)
  const { data } = make
  return (
    <Section title={t('signIn.link')} text={t('signIn.linkText')}>
      {make.error ? <Notice kind="danger">{textOf(make.error)}</Notice> : null}
      {data === undefined ? (
        <div>
          <Button variant="default" loading={make.isPending} onClick={() => make.mutate({ params: { id } })}>
            {t('signIn.makeLink')}
          </Button>
        </div>
      ) : (
        <Copyable
          label={t('signIn.madeLink')}
          text={`${window.location.origin}${basePath}${paths.signIn()}#link=${data.token}`}
        />
      )}
    </Section>
  )
}

const Keys = ({ user: { id, username } }: { readonly user: UserDto }): ReactNode => {
  const { t } = useTranslation('users')
  const { data } = useLater(listApiKeys, keysInput(id))
  if (data === undefined) return null
  return (
    <Section title={t('keys.title')} text={data.total === 0 ? t('keys.none', { name: username }) : undefined}>
      <RowList label={t('keys.title')}>
        {data.data.map((key) => (
          <KeyRow key={key.id} apiKey={key} />
        ))}
      </RowList>
    </Section>
  )
}

const KeyRow = ({ apiKey }: { readonly apiKey: ApiKeyDto }): ReactNode => {
  const { t } = useTranslation('users')
  const { ago, day } = useTimeText()
  const textOf = useProblemText()
  const { id, name, keyPrefix, lastUsedAt, expiresAt, isActive } = apiKey
  const change = useChange(updateApiKey, { invalidates: [listApiKeys] })
  const remove = useChange(deleteApiKey, { invalidates: [listApiKeys] })
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const setActive = (active: boolean, undo?: () => void): void =>
    change.mutate(
      { params: { id }, body: { isActive: active } },
      {
        onError,
        onSuccess: () =>
          toast({ text: t(active ? 'keys.switchedOn' : 'keys.switchedOff', { name }), ...(undo && { undo }) }),
      },
    )
  const details = [
    `${keyPrefix}…`,
    lastUsedAt === null ? t('keys.neverUsed') : t('keys.used', { when: ago(lastUsedAt) }),
    expiresAt === null ? undefined : t('keys.until', { day: day(expiresAt) }),
  ]
  return (
    <ListRow
      icon="key"
      title={name}
      text={details.filter((detail) => detail !== undefined).join(' · ')}
      actions={
        <>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`${t(isActive ? 'keys.switchOff' : 'keys.switchOn')}: ${name}`}
            onClick={() => setActive(!isActive, () => setActive(isActive))}
          >
            {t(isActive ? 'keys.switchOff' : 'keys.switchOn')}
          </Button>
          {isActive ? null : (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`${t('keys.remove')}: ${name}`}
              onClick={() => remove.mutate({ params: { id } }, { onError })}
            >
              {t('keys.remove')}
            </Button>
          )}
        </>
      }
    />
  )
}
