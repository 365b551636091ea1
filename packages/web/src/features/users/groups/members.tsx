import {
  type AccessGroupDetail,
  addAccessGroupMembers,
  listAccessGroups,
  listUsers,
  type Member,
  readAccessGroup,
  readEffectiveAccess,
  readUser,
  removeAccessGroupMember,
} from '@carrel/api'
import { Button, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../../api/queries.ts'
import { RowLink } from '../../../navigation/row-link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { useProblemText } from '../../../text/problem-text.ts'
import { useTimeText } from '../../../text/time-text.ts'
import { IconAction } from '../../../ui/action-menu.tsx'
import { FindField } from '../../../ui/form/find-field.tsx'
import { Row, Text } from '../../../ui/layout/layout.tsx'
import { Mark } from '../../../ui/state/mark.tsx'
import { Section } from '../../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../../ui/row-list.tsx'
import { toast } from '../../../ui/state/toasts.tsx'
import styles from '../users.module.css'

const invalidates = [readAccessGroup, listAccessGroups, readEffectiveAccess, listUsers, readUser]
const shownMax = 50

/** It lists the members of a group; a large group is searched by name. */
export const Members = ({ group }: { readonly group: AccessGroupDetail }): ReactNode => {
  const { t } = useTranslation('users')
  const { id, members, memberCount } = group
  const [find, setFind] = useState('')
  const matching = members.filter(({ username }) => username.toLowerCase().includes(find.trim().toLowerCase()))
  const { add, remove } = useMembers(id)
  return (
    <Section title={t('members.title')} text={t('groups.members', { count: memberCount })}>
      {members.length > shownMax ? <FindField label={t('find')} value={find} onChange={setFind} /> : null}
      <RowList label={t('members.title')}>
        {matching.slice(0, shownMax).map((member) => (
          <MemberRow key={member.userId} member={member} onRemove={() => remove(member)} />
        ))}
      </RowList>
      {matching.length > shownMax ? (
        <Text quiet size={13}>
          {t('members.more')}
        </Text>
      ) : null}
      <AddMember taken={members.map(({ userId }) => userId)} onAdd={add} />
    </Section>
  )
}

interface MemberRowProps {
  readonly member: Member
  readonly onRemove: () => void
}

const MemberRow = ({ member: { userId, username, source, createdAt }, onRemove }: MemberRowProps): ReactNode => {
  const { t } = useTranslation('users')
  const { day } = useTimeText()
  return (
    <ListRow
      icon="person"
      title={
        <RowLink to={paths.userAccess(userId)}>
          <bdi>{username}</bdi>
        </RowLink>
      }
      mark={source === 'oidc' ? <Mark kind="plain">{t('members.oidc')}</Mark> : undefined}
      text={t('members.since', { day: day(createdAt) })}
      actions={<IconAction icon="close" label={t('members.remove', { name: username })} onClick={onRemove} />}
    />
  )
}

const useMembers = (id: string) => {
  const { t } = useTranslation('users')
  const textOf = useProblemText()
  const put = useChange(addAccessGroupMembers, { invalidates })
  const drop = useChange(removeAccessGroupMember, { invalidates })
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const join = (userId: string): void => put.mutate({ params: { id }, body: { userIds: [userId] } }, { onError })
  const leave = (userId: string): void => drop.mutate({ params: { id, userId } }, { onError })
  return {
    add: (userId: string): void =>
      put.mutate(
        { params: { id }, body: { userIds: [userId] } },
        {
          onError,
          onSuccess: ([member]) =>
            toast({ text: t('members.added', { name: member?.username ?? '' }), undo: () => leave(userId) }),
        },
      ),
    remove: ({ userId, username, source }: Member): void =>
      drop.mutate(
        { params: { id, userId } },
        {
          onError,
          onSuccess: () =>
            toast({
              text: t(source === 'oidc' ? 'members.removedUntil' : 'members.removed', { name: username }),
              // A member added by a provider comes back through it; an undo would make the membership manual for good.
              ...(source === 'manual' && { undo: () => join(userId) }),
            }),
        },
      ),
  }
}

const waitMs = 150
const few = 20

interface AddMemberProps {
  readonly taken: readonly string[]
  readonly onAdd: (userId: string) => void
}

const AddMember = ({ taken, onAdd }: AddMemberProps): ReactNode => {
  const { t } = useTranslation('users')
  const [userId, setUserId] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), waitMs)
  const { data, isPlaceholderData } = useLater(
    listUsers,
    { query: { pageSize: few + 1, ...(settled !== '' && userId === null && { q: settled }) } },
    { keepPrevious: true },
  )
  const isAnswered = search.trim() === settled && !isPlaceholderData
  // Until the answer to what is typed is there, only those stay who fit it: Enter must not choose somebody else.
  const fits = (name: string): boolean =>
    isAnswered || userId !== null || name.toLowerCase().includes(search.trim().toLowerCase())
  const free = (data?.data ?? []).filter(({ id, username }) => !taken.includes(id) && fits(username))
  const add = (): void => {
    if (userId === null) return
    onAdd(userId)
    setUserId(null)
    setSearch('')
  }
  return (
    <Row gap={2} align="end" wrap touch className={styles.add}>
      <Select
        label={t('members.user')}
        data={free.map(({ id, username }) => ({ value: id, label: username }))}
        value={userId}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        // The server has found them, by name or address.
        filter={({ options }) => options}
        nothingFoundMessage={isAnswered ? t('nobody') : undefined}
        onChange={setUserId}
      />
      <Button variant="default" disabled={userId === null} onClick={add}>
        {t('members.add')}
      </Button>
    </Row>
  )
}
