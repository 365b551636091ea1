import { createFilterPreset, deleteFilterPreset, type FilterPresetDto, listFilterPresets } from '@carrel/api'
import { Button, Menu, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../api/queries.ts'
import { useProblem, useProblemText } from '../../text/problem-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { conditionOf, filtersFrom, isFiltered } from '../filter/filters.ts'
import type { Kind } from '../kinds.ts'
import { type ListSearch, parseListSearch } from './list-search.ts'
import type { Scope } from './sources.ts'
import { useListView } from './use-list-view.ts'
import { sortWord, wordOfSort } from './preset-sort.ts'

interface PresetMenuProps<K extends Kind> {
  readonly kind: K
  readonly search: ListSearch<K>
  readonly scope: Scope
}

const invalidates = [listFilterPresets]

/** Filters that somebody wants to have again, by a name. */
export const PresetMenu = <K extends Kind>({ kind, search, scope }: PresetMenuProps<K>): ReactNode => {
  const { t } = useTranslation('lists')
  const go = useListView(kind)
  const [isNaming, setNaming] = useState(false)
  // The frame has loaded all of them before it is shown: nothing beside this button moves when it comes.
  const { data } = useLater(listFilterPresets, { query: {} })
  const drop = useDropPreset()
  const usable = (data?.presets ?? []).flatMap((preset) => {
    if (preset.scope !== 'list' || preset.target !== kind) return []
    const filters = filtersFrom(kind, preset.condition)
    const isHere = preset.libraryId === null || preset.libraryId === scope.libraryId
    return filters && isHere ? [{ preset, filters: { ...filters, text: preset.query ?? undefined } }] : []
  })
  const mayKeep = isFiltered(search.filters)
  if (usable.length === 0 && !mayKeep) return null
  const use = (filters: ListSearch['filters'], sort: string | null): void =>
    go({ ...parseListSearch(kind, { sort: wordOfSort(kind, sort) }), filters, layout: search.layout })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="star" size="small" />}>
            {t('presets')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {usable.map(({ preset, filters }) => (
            <Menu.Item key={preset.id} onClick={() => use(filters, preset.sort)}>
              {preset.name}
            </Menu.Item>
          ))}
          {usable.length > 0 ? <Menu.Divider /> : null}
          {mayKeep ? (
            <Menu.Item leftSection={<Icon name="plus" size="small" />} onClick={() => setNaming(true)}>
              {t('keepPreset')}
            </Menu.Item>
          ) : null}
          {usable.map(({ preset }) => (
            <Menu.Item key={preset.id} leftSection={<Icon name="trash" size="small" />} onClick={() => drop(preset)}>
              {t('dropPreset', { name: preset.name })}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {isNaming ? <NamePreset kind={kind} search={search} scope={scope} onClose={() => setNaming(false)} /> : null}
    </>
  )
}

const useDropPreset = (): ((preset: FilterPresetDto) => void) => {
  const { t } = useTranslation('lists')
  const textOf = useProblemText()
  const remove = useChange(deleteFilterPreset, { invalidates })
  const create = useChange(createFilterPreset, { invalidates })
  return ({ id, name, scope, target, condition, query, sort, libraryId }) =>
    remove.mutate(
      { params: { id } },
      {
        onSuccess: () =>
          toast({
            text: t('presetDropped', { name }),
            undo: () => create.mutate({ body: { name, scope, target, condition, query, sort, libraryId } }),
          }),
        onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
      },
    )
}

interface NamePresetProps<K extends Kind> extends PresetMenuProps<K> {
  readonly onClose: () => void
}

const NamePreset = <K extends Kind>({ kind, search, scope, onClose }: NamePresetProps<K>): ReactNode => {
  const { t } = useTranslation('lists')
  const problemOf = useProblem()
  const [name, setName] = useState('')
  const create = useChange(createFilterPreset, { invalidates, onDone: onClose })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const condition = conditionOf(kind, search.filters) ?? { allOf: [] }
    create.mutate({
      body: {
        name,
        scope: 'list',
        target: kind,
        condition,
        query: search.filters.text ?? null,
        sort: search.sorting ? sortWord(kind, search.sorting) : null,
        libraryId: scope.libraryId ?? null,
      },
    })
  }
  return (
    <Dialog title={t('keepPreset')} isOpen onClose={onClose}>
      <Form onSubmit={submit} problem={problemOf(create.error)}>
        <TextInput
          label={t('presetName')}
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" loading={create.isPending}>
          {t('keep')}
        </Button>
      </Form>
    </Dialog>
  )
}
