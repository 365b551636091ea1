import { deleteUser, listUsers, readUser, type UserDto } from '@carrel/api'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { etagOf, useChange } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblem } from '../../text/problem-text.ts'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Row, Stack } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { useUpdateUser } from './use-update-user.ts'
import styles from './users.module.css'

/** It locks an account for a while, or deletes it for good. */
export const EndOfAccount = ({ user }: { readonly user: UserDto }): ReactNode => {
  const { t } = useTranslation('users')
  const mayChange = useMay('users:write')
  const mayDelete = useMay('users:delete')
  const [isLeaving, setLeaving] = useState(false)
  const { save, isPending, problem } = useUpdateUser(user)
  const { username, isActive } = user
  const setActive = (active: boolean): void =>
    save({
      body: { isActive: active },
      undo: { isActive: !active },
      text: t(active ? 'end.activated' : 'end.deactivated', { name: username }),
    })
  if (!mayChange && !mayDelete) return null
  return (
    <Section title={t('end.title')}>
      {problem === undefined ? null : <Notice kind="danger">{problem}</Notice>}
      <Stack gap={3} pad={4} className={styles.danger}>
        {mayChange ? (
          <Row gap={4} rowGap={2} justify="between" wrap>
            <span>{t(isActive ? 'end.deactivateText' : 'end.activateText')}</span>
            <Button variant="default" loading={isPending} onClick={() => setActive(!isActive)}>
              {t(isActive ? 'end.deactivate' : 'end.activate')}
            </Button>
          </Row>
        ) : null}
        {mayDelete ? (
          <Row gap={4} rowGap={2} justify="between" wrap>
            <span>{t('end.deleteText')}</span>
            <Button color="red" variant="outline" onClick={() => setLeaving(true)}>
              {t('end.delete')}
            </Button>
          </Row>
        ) : null}
      </Stack>
      {isLeaving ? <DeleteDialog user={user} onClose={() => setLeaving(false)} /> : null}
    </Section>
  )
}

interface DeleteDialogProps {
  readonly user: UserDto
  readonly onClose: () => void
}

const DeleteDialog = ({ user: { id, username }, onClose }: DeleteDialogProps): ReactNode => {
  const { t } = useTranslation('users')
  const problemOf = useProblem()
  const router = useRouter()
  const remove = useChange(deleteUser, {
    isDeletion: true,
    invalidates: [listUsers],
    onDone: () => toast({ text: t('end.deleted', { name: username }) }),
  })
  const confirm = (): void =>
    remove.mutate(
      { params: { id }, ifMatch: etagOf(readUser, { params: { id } }) },
      { onSuccess: () => void router.navigate({ href: paths.users(), replace: true }) },
    )
  return (
    <Confirm
      title={t('end.deleteTitle', { name: username })}
      isOpen
      onClose={onClose}
      action={t('end.delete')}
      onConfirm={confirm}
      isPending={remove.isPending}
      problem={problemOf(remove.error)}
    >
      <p>{t('end.lost')}</p>
      <p>{t('end.instead')}</p>
    </Confirm>
  )
}
