import {
  type AccessGroupDetail,
  deleteAccessGroupGrant,
  type GrantMode,
  listAccessGroups,
  listSharingTags,
  readAccessGroup,
  readEffectiveAccess,
  saveAccessGroupGrant,
} from '@carrel/api'
import { Button, NativeSelect, Select } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../../api/queries.ts'
import { AppLink } from '../../../navigation/link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { useProblemText } from '../../../text/problem-text.ts'
import { IconAction } from '../../../ui/action-menu.tsx'
import { Row, Text } from '../../../ui/layout/layout.tsx'
import { Section } from '../../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../../ui/row-list.tsx'
import { toast } from '../../../ui/state/toasts.tsx'
import { every } from '../every.ts'
import styles from '../users.module.css'

const modes = ['deny', 'allow'] as const
const invalidates = [readAccessGroup, listAccessGroups, listSharingTags, readEffectiveAccess]

/** The sharing tags a group allows or denies. */
export const Grants = ({ group: { id, grants } }: { readonly group: AccessGroupDetail }): ReactNode => {
  const { t } = useTranslation('users')
  const { save, remove } = useGrants(id)
  return (
    <Section title={t('grants.title')} text={t('grants.text')}>
      <RowList label={t('grants.title')}>
        {grants.map(({ sharingTagId, sharingTagName, accessMode }) => (
          <ListRow
            key={sharingTagId}
            icon={accessMode === 'deny' ? 'lock' : 'eye'}
            title={<bdi>{sharingTagName}</bdi>}
            text={t(`grants.${accessMode}Text`)}
            actions={
              <>
                <NativeSelect
                  aria-label={t('grants.modeOf', { tag: sharingTagName })}
                  value={accessMode}
                  data={modes.map((mode) => ({ value: mode, label: t(`grants.${mode}`) }))}
                  onChange={({ currentTarget }) =>
                    save(sharingTagId, currentTarget.value === 'allow' ? 'allow' : 'deny', accessMode)
                  }
                />
                <IconAction
                  icon="close"
                  label={t('grants.remove', { tag: sharingTagName })}
                  onClick={() => remove(sharingTagId, accessMode)}
                />
              </>
            }
          />
        ))}
      </RowList>
      <AddGrant taken={grants.map(({ sharingTagId }) => sharingTagId)} onAdd={save} />
    </Section>
  )
}

const useGrants = (id: string) => {
  const { t } = useTranslation('users')
  const textOf = useProblemText()
  const put = useChange(saveAccessGroupGrant, { invalidates })
  const drop = useChange(deleteAccessGroupGrant, { invalidates })
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const give = (sharingTagId: string, accessMode: GrantMode): void =>
    put.mutate({ params: { id }, body: { sharingTagId, accessMode } }, { onError })
  const take = (tagId: string): void => drop.mutate({ params: { id, tagId } }, { onError })
  return {
    save: (tagId: string, mode: GrantMode, before?: GrantMode): void =>
      put.mutate(
        { params: { id }, body: { sharingTagId: tagId, accessMode: mode } },
        {
          onError,
          onSuccess: ({ sharingTagName: tag }) =>
            toast({
              text: t(mode === 'allow' ? 'grants.allowed' : 'grants.denied', { tag }),
              undo: () => (before === undefined ? take(tagId) : give(tagId, before)),
            }),
        },
      ),
    remove: (tagId: string, before: GrantMode): void =>
      drop.mutate(
        { params: { id, tagId } },
        { onError, onSuccess: () => toast({ text: t('grants.removed'), undo: () => give(tagId, before) }) },
      ),
  }
}

interface AddGrantProps {
  readonly taken: readonly string[]
  readonly onAdd: (tagId: string, mode: GrantMode) => void
}

const AddGrant = ({ taken, onAdd }: AddGrantProps): ReactNode => {
  const { t } = useTranslation('users')
  const { data } = useLater(listSharingTags, every)
  const [tag, setTag] = useState<string | null>(null)
  if (data === undefined) return null
  const free = data.data.filter(({ id }) => !taken.includes(id))
  if (data.total === 0) {
    return (
      <Text quiet size={13}>
        {t('access.noTags')} <AppLink to={paths.sharingTags()}>{t('access.toTags')}</AppLink>
      </Text>
    )
  }
  if (free.length === 0) return null
  const add = (mode: GrantMode) => (): void => {
    if (tag === null) return
    onAdd(tag, mode)
    setTag(null)
  }
  return (
    <Row gap={2} align="end" wrap touch className={styles.add}>
      <Select
        label={t('grants.tag')}
        data={free.map(({ id, name }) => ({ value: id, label: name }))}
        value={tag}
        searchable
        nothingFoundMessage={t('access.noSuchTag')}
        onChange={setTag}
      />
      <Button variant="default" disabled={tag === null} onClick={add('deny')}>
        {t('grants.deny')}
      </Button>
      <Button variant="default" disabled={tag === null} onClick={add('allow')}>
        {t('grants.allow')}
      </Button>
    </Row>
  )
}
