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
import { conditionText } from '../../../condition-text.ts'
import { AppLink } from '../../../link.tsx'
import { paths } from '../../../paths.ts'
import { useProblemText } from '../../../problem-text.ts'
import { Icon } from '../../../ui/icon.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { NameDialog } from './name-dialog.tsx'
import styles from './presets.module.css'
import { longestAddress } from './use-search.ts'
import type { Question } from './wanted.ts'

interface PresetsProps {
  readonly target: ConditionTarget
  readonly question: Question
  /** The one the address names. */
  readonly current: FilterPresetDto | undefined
}

/** Searches that have been kept: to use, to rename, to keep anew, to let go. */
export const Presets = ({ target, question, current }: PresetsProps): ReactNode => {
  const { t } = useTranslation('search')
  const navigate = useNavigate()
  const { data } = useLater(listFilterPresets, { query: { scope: 'search', target } })
  const [naming, setNaming] = useState<'new' | FilterPresetDto>()
  const { create, replace, remove } = usePresetChanges()
  const asked = {
    condition: question.condition as NewFilterPreset['condition'],
    query: question.q.trim() === '' ? null : question.q,
    sort: question.sort ?? null,
  }
  const use = (id: string): void => void navigate({ to: '/search/advanced', search: { of: target, preset: id } })
  /** Whoever is using it keeps the search, but not by its name. */
  const letGo = (preset: FilterPresetDto): void => {
    if (preset.id !== current?.id) return remove(preset)
    const text = conditionText(target, question.condition)
    const isLong = text.length > longestAddress
    void navigate({
      to: '/search/advanced',
      search: {
        of: target,
        ...(!isLong && text !== '' && { where: text }),
        ...(question.q !== '' && { q: question.q }),
      },
      state: isLong ? { longCondition: question.condition } : {},
      replace: true,
    }).then(() => remove(preset))
  }
  const keep = (name: string): void => {
    const close = { onSuccess: () => setNaming(undefined) }
    if (naming === 'new') {
      create.mutate(
        { body: { name, scope: 'search', target, ...asked } },
        {
          onSuccess: ({ id }) => {
            setNaming(undefined)
            use(id)
          },
        },
      )
    } else if (naming) {
      replace.mutate({ params: { id: naming.id }, body: { ...bodyOf(naming), name } }, close)
    }
  }
  return (
    <div className={styles.presets}>
      {(data?.presets ?? []).map((preset) => (
        <span key={preset.id} className={styles.preset} data-current={preset.id === current?.id}>
          <AppLink to={paths.advancedSearch({ of: target, preset: preset.id })} className={styles.name}>
            {preset.name}
          </AppLink>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t('advanced.presetMore', { name: preset.name })}>
                <Icon name="more" size="small" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                onClick={() => replace.mutate({ params: { id: preset.id }, body: { ...bodyOf(preset), ...asked } })}
              >
                {t('advanced.presetReplace')}
              </Menu.Item>
              <Menu.Item onClick={() => setNaming(preset)}>{t('advanced.presetRename')}</Menu.Item>
              <Menu.Item onClick={() => letGo(preset)}>{t('advanced.presetDelete')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
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
    </div>
  )
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
