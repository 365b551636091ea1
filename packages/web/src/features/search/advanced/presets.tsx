import {
  type ConditionTarget,
  createFilterPreset,
  deleteFilterPreset,
  type FilterPresetDto,
  listFilterPresets,
  type NewFilterPreset,
  replaceFilterPreset,
} from '@carrel/api'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../../api/queries.ts'
import { conditionText } from '../../../text/condition-text.ts'
import { AppLink } from '../../../navigation/link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { useProblemText } from '../../../text/problem-text.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Row, Text } from '../../../ui/layout/layout.tsx'
import { toast } from '../../../ui/state/toasts.tsx'
import { NameDialog } from './name-dialog.tsx'
import styles from './presets.module.css'
import { longestAddress } from './use-search.ts'
import type { Question } from './list-query.ts'

interface PresetsProps {
  readonly target: ConditionTarget
  readonly question: Question
  /** The one the address names. */
  readonly current: FilterPresetDto | undefined
}

/** Saved searches can be used, renamed, overwritten and deleted. */
export const Presets = ({ target, question, current }: PresetsProps): ReactNode => {
  const { t } = useTranslation('search')
  const navigate = useNavigate()
  const { data } = useLater(listFilterPresets, { query: { scope: 'search', target } })
  const [naming, setNaming] = useState<'new' | FilterPresetDto>()
  const { create, replace, remove } = usePresetChanges()
  const values = {
    condition: question.condition as NewFilterPreset['condition'],
    query: question.q.trim() === '' ? null : question.q,
    sort: question.sort ?? null,
  }
  const leave = useLeaving(target, question)
  const letGo = (preset: FilterPresetDto): void => {
    if (preset.id !== current?.id) return remove(preset)
    void leave().then(() => remove(preset))
  }
  const keep = (name: string): void => {
    const close = { onSuccess: () => setNaming(undefined) }
    if (naming === 'new') {
      create.mutate(
        { body: { name, scope: 'search', target, ...values } },
        {
          onSuccess: ({ id }) => {
            setNaming(undefined)
            void navigate({ to: '/search/advanced', search: { of: target, preset: id } })
          },
        },
      )
    } else if (naming) {
      replace.mutate({ params: { id: naming.id }, body: { ...bodyOf(naming), name } }, close)
    }
  }
  return (
    <Row gap={2} wrap>
      {(data?.presets ?? []).map((preset) => (
        <Preset
          key={preset.id}
          preset={preset}
          isCurrent={preset.id === current?.id}
          onReplace={() => replace.mutate({ params: { id: preset.id }, body: { ...bodyOf(preset), ...values } })}
          onRename={() => setNaming(preset)}
          onDelete={() => letGo(preset)}
        />
      ))}
      <Button size="xs" variant="default" onClick={() => setNaming('new')}>
        {t('advanced.presetSave')}
      </Button>
      {naming === undefined ? null : (
        <NameDialog
          title={t(naming === 'new' ? 'advanced.presetSave' : 'advanced.presetRename')}
          name={naming === 'new' ? '' : naming.name}
          problem={naming === 'new' ? create.error : replace.error}
          onClose={() => setNaming(undefined)}
          onSubmit={keep}
        />
      )}
    </Row>
  )
}

interface PresetProps {
  readonly preset: FilterPresetDto
  readonly isCurrent: boolean
  readonly onReplace: () => void
  readonly onRename: () => void
  readonly onDelete: () => void
}

const Preset = ({ preset, isCurrent, onReplace, onRename, onDelete }: PresetProps): ReactNode => {
  const { t } = useTranslation('search')
  const { id, name, target } = preset
  return (
    <Row as="span" inline className={styles.preset} data-current={isCurrent}>
      <Text as={AppLink} lines={1} to={paths.advancedSearch({ of: target, preset: id })} className={styles.name}>
        {name}
      </Text>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('advanced.presetMore', { name })}>
            <Icon name="more" size="small" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onReplace}>{t('advanced.presetReplace')}</Menu.Item>
          <Menu.Item onClick={onRename}>{t('advanced.presetRename')}</Menu.Item>
          <Menu.Item onClick={onDelete}>{t('advanced.presetDelete')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Row>
  )
}

/** A user whose preset is deleted keeps the search, but not its name. */
const useLeaving = (target: ConditionTarget, { condition, q }: Question): (() => Promise<void>) => {
  const navigate = useNavigate()
  return () => {
    const text = conditionText(target, condition)
    const isLong = text.length > longestAddress
    return navigate({
      to: '/search/advanced',
      search: { of: target, ...(!isLong && text !== '' && { where: text }), ...(q !== '' && { q }) },
      state: isLong ? { longCondition: condition } : {},
      replace: true,
    })
  }
}

const bodyOf = ({ name, scope, target, condition, query, sort, libraryId }: FilterPresetDto): NewFilterPreset => ({
  name,
  scope,
  target,
  condition,
  query,
  sort,
  libraryId,
})

const usePresetChanges = () => {
  const { t } = useTranslation('search')
  const textOf = useProblemText()
  const create = useChange(createFilterPreset, { invalidates: [listFilterPresets] })
  const replace = useChange(replaceFilterPreset, { invalidates: [listFilterPresets] })
  const letGo = useChange(deleteFilterPreset, { invalidates: [listFilterPresets] })
  const failed = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const remove = (preset: FilterPresetDto): void =>
    letGo.mutate(
      { params: { id: preset.id } },
      {
        onError: failed,
        onSuccess: () =>
          toast({
            text: t('advanced.presetDeleted', { name: preset.name }),
            undo: () => create.mutate({ body: bodyOf(preset) }, { onError: failed }),
          }),
      },
    )
  return { create, replace, remove }
}
