import type { Permission, Role, UserDto, UserPatch } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { useMay, useMe } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { EffectiveAccess } from './effective-access.tsx'
import { EndOfAccount } from './end-of-account.tsx'
import { PermissionGrid } from './permission-grid.tsx'
import { RoleField } from './role-field.tsx'
import { SaveButtons } from './save-buttons.tsx'
import { useUpdateUser } from './use-update-user.ts'
import { UserFrame } from './user-frame.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/users/$userId')

/** Name, role, permissions, and the end of an account. */
export const AccountTab = (): ReactNode => {
  const { userId } = route.useParams()
  return (
    <UserFrame id={userId}>
      {(user) => (
        <>
          <Sees user={user} />
          <AccountForm key={user.id} user={user} />
          <Ends user={user} />
        </>
      )}
    </UserFrame>
  )
}

const Sees = ({ user }: { readonly user: UserDto }): ReactNode =>
  useMay('system:admin') ? <EffectiveAccess user={user} /> : null

interface Draft {
  readonly username: string
  readonly email: string
  readonly role: Role
  readonly permissions: readonly Permission[]
  readonly withheld: readonly Permission[]
}

const draftOf = ({ username, email, role, permissions, withheldPermissions = [] }: UserDto): Draft => ({
  username,
  email: email ?? '',
  role,
  permissions,
  withheld: withheldPermissions,
})

/** The patch holds only what differs. */
const patchOf = (from: Draft, to: Draft): UserPatch => ({
  ...(from.username !== to.username && { username: to.username.trim() }),
  ...(from.email !== to.email && { email: to.email.trim() === '' ? null : to.email.trim() }),
  ...(from.role !== to.role && { role: to.role }),
  ...(from.permissions.join() !== to.permissions.join() && { permissions: [...to.permissions] }),
  ...(from.withheld.join() !== to.withheld.join() && { withheldPermissions: [...to.withheld] }),
})

const AccountForm = ({ user }: { readonly user: UserDto }): ReactNode => {
  const { t } = useTranslation('users')
  const mayChange = useMay('users:write')
  const { save, isPending, problem } = useUpdateUser(user)
  const [changes, setChanges] = useState<Partial<Draft>>({})
  const stored = draftOf(user)
  const draft = { ...stored, ...changes }
  const patch = patchOf(stored, draft)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save({
      body: patch,
      undo: patchOf(draft, stored),
      text: t('saved', { name: draft.username }),
      onDone: () => setChanges({}),
    })
  }
  return (
    <Section title={t('account.title')}>
      <Form onSubmit={submit} problem={problem}>
        <TextField
          label={t('username')}
          autoComplete="off"
          autoCapitalize="none"
          required
          readOnly={!mayChange}
          maxLength={64}
          pattern="[^@]+"
          value={draft.username}
          onChange={(username) => setChanges({ ...changes, username })}
        />
        <TextField
          label={t('email')}
          description={t('emailHint')}
          type="email"
          autoComplete="off"
          readOnly={!mayChange}
          maxLength={254}
          value={draft.email}
          onChange={(email) => setChanges({ ...changes, email })}
        />
        <RoleField role={draft.role} onChange={(role) => setChanges({ ...changes, role })} />
        <PermissionGrid
          role={draft.role}
          allowances={draft}
          onChange={(allowances) => setChanges({ ...changes, ...allowances })}
        />
        {mayChange ? (
          <SaveButtons
            isSame={Object.keys(patch).length === 0}
            isPending={isPending}
            onDiscard={() => setChanges({})}
          />
        ) : null}
      </Form>
    </Section>
  )
}

const Ends = ({ user }: { readonly user: UserDto }): ReactNode => {
  const { t } = useTranslation('users')
  const me = useMe()
  if (user.id !== me.id) return <EndOfAccount user={user} />
  return (
    <Text quiet size={13}>
      {t('thisIsYou')} <AppLink to={paths.account()}>{t('toOwnAccount')}</AppLink>
    </Text>
  )
}
