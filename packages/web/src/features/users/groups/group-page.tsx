import {
  type AccessGroupDetail,
  deleteAccessGroup,
  listAccessGroups,
  listUsers,
  readAccessGroup,
  readEffectiveAccess,
  updateAccessGroup,
} from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { etagOf, useChange, useRead } from '../../../api/queries.ts'
import { paths } from '../../../navigation/paths.ts'
import { useProblem } from '../../../text/problem-text.ts'
import { Confirm } from '../../../ui/dialog/confirm.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { Stack } from '../../../ui/layout/layout.tsx'
import { Page, Section } from '../../../ui/layout/page.tsx'
import { toast } from '../../../ui/state/toasts.tsx'
import { type Rules, RulesFields } from '../rules-fields.tsx'
import { SaveButtons } from '../save-buttons.tsx'
import { useRuleWords } from '../use-rule-words.ts'
import styles from '../users.module.css'
import { Grants } from './grants.tsx'
import { Mappings } from './mappings.tsx'
import { Members } from './members.tsx'
import { NamedDialog } from './named-dialog.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/groups/$groupId')

/** The page shows what a group lets its members see, and who they are. */
export const GroupPage = (): ReactNode => {
  const { t } = useTranslation('users')
  const { groupId } = route.useParams()
  const group = useRead(readAccessGroup, { params: { id: groupId } })
  const [asks, setAsks] = useState<'name' | 'delete'>()
  const close = (): void => setAsks(undefined)
  const { name, description } = group
  return (
    <Page
      title={name}
      subtitle={description ?? undefined}
      width="narrow"
      actions={
        <>
          <Button variant="default" onClick={() => setAsks('name')}>
            {t('groups.rename')}
          </Button>
          <Button color="red" variant="outline" onClick={() => setAsks('delete')}>
            {t('groups.delete')}
          </Button>
        </>
      }
    >
      <Summary group={group} />
      <RulesForm key={group.id} group={group} />
      <Grants group={group} />
      <Members group={group} />
      <Mappings group={group} />
      {asks === 'name' ? <Rename group={group} onClose={close} /> : null}
      {asks === 'delete' ? <Remove group={group} onClose={close} /> : null}
    </Page>
  )
}

const Summary = ({ group }: { readonly group: AccessGroupDetail }): ReactNode => {
  const { t } = useTranslation('users')
  const { sentence } = useRuleWords()
  const tags = (mode: 'allow' | 'deny'): string[] =>
    group.grants.filter(({ accessMode }) => accessMode === mode).map(({ sharingTagName }) => sharingTagName)
  return (
    <Stack as="section" gap={3} pad={4} className={styles.sees} aria-label={t('sees.title')}>
      <p role="status">{sentence(t('groups.whoever'), { ...group, allowed: tags('allow'), denied: tags('deny') })}</p>
      <span>{t('groups.together')}</span>
    </Stack>
  )
}

interface PartProps {
  readonly group: AccessGroupDetail
}

/** A change of a group affects the group, and what each of its members sees. */
const touched = [readAccessGroup, listAccessGroups, readEffectiveAccess, listUsers]

const rulesOf = ({ libraries, ageCeiling, includeUnrated }: Rules): Rules => ({ libraries, ageCeiling, includeUnrated })

const bodyOf = ({ libraries, ...rest }: Rules) => ({
  ...rest,
  libraries: libraries === 'all' ? ('all' as const) : [...libraries],
})

const RulesForm = ({ group }: PartProps): ReactNode => {
  const { t } = useTranslation('users')
  const problemOf = useProblem()
  const { id, name } = group
  const input = { params: { id } }
  const [changes, setChanges] = useState<Partial<Rules>>({})
  const update = useChange(updateAccessGroup, { invalidates: touched })
  const stored = rulesOf(group)
  const draft = { ...stored, ...changes }
  const save = (rules: Rules, onDone: () => void): void =>
    update.mutate({ ...input, body: bodyOf(rules), ifMatch: etagOf(readAccessGroup, input) }, { onSuccess: onDone })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save(draft, () => {
      setChanges({})
      toast({ text: t('saved', { name }), undo: () => save(stored, () => undefined) })
    })
  }
  const isSame = JSON.stringify(draft) === JSON.stringify(stored)
  return (
    <Section title={t('groups.rules')} text={t('groups.rulesText')}>
      <Form onSubmit={submit} problem={problemOf(update.error)}>
        <RulesFields
          rules={draft}
          onChange={(part) => setChanges({ ...changes, ...part })}
          emptyText={t('access.noneOfGroup')}
        />
        <SaveButtons isSame={isSame} isPending={update.isPending} onDiscard={() => setChanges({})} />
      </Form>
    </Section>
  )
}

interface AskProps extends PartProps {
  readonly onClose: () => void
}

const Rename = ({ group: { id, name, description }, onClose }: AskProps): ReactNode => {
  const { t } = useTranslation('users')
  const input = { params: { id } }
  const update = useChange(updateAccessGroup, { invalidates: touched })
  return (
    <NamedDialog
      title={t('groups.rename')}
      action={t('save')}
      before={{ name, description }}
      error={update.error}
      isPending={update.isPending}
      onSave={(body) =>
        update.mutate({ ...input, body, ifMatch: etagOf(readAccessGroup, input) }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  )
}

const Remove = ({ group: { id, name, memberCount }, onClose }: AskProps): ReactNode => {
  const { t } = useTranslation('users')
  const problemOf = useProblem()
  const navigate = route.useNavigate()
  const remove = useChange(deleteAccessGroup, {
    isDeletion: true,
    invalidates: [listAccessGroups, readEffectiveAccess, listUsers],
  })
  const confirm = (): void =>
    remove.mutate(
      { params: { id }, ifMatch: etagOf(readAccessGroup, { params: { id } }) },
      {
        onSuccess: () => {
          void navigate({ to: paths.groups(), replace: true })
          toast({ text: t('groups.deleted', { name }) })
        },
      },
    )
  return (
    <Confirm
      title={t('groups.deleteTitle', { name })}
      isOpen
      onClose={onClose}
      action={t('groups.delete')}
      onConfirm={confirm}
      isPending={remove.isPending}
      problem={problemOf(remove.error)}
    >
      <p>{t('groups.deleteText', { count: memberCount })}</p>
    </Confirm>
  )
}
