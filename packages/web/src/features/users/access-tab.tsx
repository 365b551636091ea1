import { type Access, listAccessGroups, listSharingTags, type UserDto } from '@carrel/api'
import { MultiSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { Form } from '../../ui/form/form.tsx'
import { Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { EffectiveAccess } from './effective-access.tsx'
import { every } from './every.ts'
import { type Rules, RulesFields } from './rules-fields.tsx'
import { SaveButtons } from './save-buttons.tsx'
import { useUpdateUser } from './use-update-user.ts'
import { UserFrame } from './user-frame.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/users/$userId/access')

/** The tab shows what a user may see, and why. */
export const AccessTab = (): ReactNode => {
  const { userId } = route.useParams()
  return (
    <UserFrame id={userId}>
      {(user) => (
        <>
          <EffectiveAccess user={user} />
          <AccessForm key={user.id} user={user} />
        </>
      )}
    </UserFrame>
  )
}

type Draft = Rules & { readonly [Key in 'allowTags' | 'denyTags' | 'groups']: readonly string[] }

/** The patch holds only what differs; the order of a list does not matter. */
const patchOf = (from: Draft, to: Draft): Partial<Access> => {
  const differs = (key: keyof Draft): boolean => serialize(from[key]) !== serialize(to[key])
  return {
    ...(differs('libraries') && { libraries: to.libraries === 'all' ? 'all' : [...to.libraries] }),
    ...(differs('ageCeiling') && { ageCeiling: to.ageCeiling }),
    ...(differs('includeUnrated') && { includeUnrated: to.includeUnrated }),
    ...(differs('allowTags') && { allowTags: [...to.allowTags] }),
    ...(differs('denyTags') && { denyTags: [...to.denyTags] }),
    ...(differs('groups') && { groups: [...to.groups] }),
  }
}

const serialize = (value: Draft[keyof Draft]): string =>
  JSON.stringify(Array.isArray(value) ? value.toSorted((one, other) => (one < other ? -1 : 1)) : value)

const AccessForm = ({ user }: { readonly user: UserDto }): ReactNode => {
  const { t } = useTranslation('users')
  const mayChange = useMay('users:write')
  const { save, isPending, problem } = useUpdateUser(user)
  const [changes, setChanges] = useState<Partial<Draft>>({})
  const draft: Draft = { ...user.access, ...changes }
  const patch = patchOf(user.access, draft)
  const change = (part: Partial<Draft>): void => setChanges({ ...changes, ...part })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save({
      body: { access: patch },
      undo: { access: patchOf(draft, user.access) },
      text: t('access.saved', { name: user.username }),
      onDone: () => setChanges({}),
    })
  }
  const isSame = Object.keys(patch).length === 0
  return (
    <Section title={t('access.own')} text={t('access.ownText')}>
      <Form onSubmit={submit} problem={problem}>
        <RulesFields rules={draft} onChange={change} emptyText={t('access.noneOfUser')} />
        <TagFields draft={draft} onChange={change} />
        <GroupsField draft={draft} onChange={change} />
        {mayChange ? <SaveButtons isSame={isSame} isPending={isPending} onDiscard={() => setChanges({})} /> : null}
      </Form>
    </Section>
  )
}

interface PartProps {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}

const TagFields = ({ draft: { allowTags, denyTags }, onChange }: PartProps): ReactNode => {
  const { t } = useTranslation('users')
  const { data } = useRead(listSharingTags, every)
  if (data.length === 0) {
    return (
      <Text quiet size={13}>
        {t('access.noTags')} <AppLink to={paths.sharingTags()}>{t('access.toTags')}</AppLink>
      </Text>
    )
  }
  const without = (taken: readonly string[]) =>
    data.filter(({ id }) => !taken.includes(id)).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <MultiSelect
        label={t('access.allow')}
        description={t('access.allowText')}
        data={without(denyTags)}
        value={[...allowTags]}
        searchable
        nothingFoundMessage={t('access.noSuchTag')}
        onChange={(next) => onChange({ allowTags: next })}
      />
      <MultiSelect
        label={t('access.deny')}
        description={t('access.denyText')}
        data={without(allowTags)}
        value={[...denyTags]}
        searchable
        nothingFoundMessage={t('access.noSuchTag')}
        onChange={(next) => onChange({ denyTags: next })}
      />
    </>
  )
}

const GroupsField = ({ draft: { groups }, onChange }: PartProps): ReactNode => {
  const { t } = useTranslation('users')
  const { data } = useRead(listAccessGroups, every)
  if (data.length === 0) {
    return (
      <Text quiet size={13}>
        {t('access.noGroups')} <AppLink to={paths.groups()}>{t('access.toGroups')}</AppLink>
      </Text>
    )
  }
  return (
    <MultiSelect
      label={t('access.groups')}
      description={t('access.groupsText')}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={[...groups]}
      searchable
      nothingFoundMessage={t('access.noSuchGroup')}
      onChange={(next) => onChange({ groups: next })}
    />
  )
}
