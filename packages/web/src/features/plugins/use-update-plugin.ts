import { type PluginDto, readPlugin, updatePlugin, type UpdatePluginRequest } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { invalidate, useChange } from '../../api/queries.ts'
import { useProblem, useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { aboutPlugins } from './use-plugin-changes.ts'

interface PluginUpdate {
  readonly body: UpdatePluginRequest
  /** This request undoes the change; absent when nothing can. */
  readonly undo?: UpdatePluginRequest
  readonly onDone?: () => void
}

/** A tag that no record has. */
const changedMeanwhile = '"changed-meanwhile"'

/**
 * It changes how a plugin is set up. That it was asked something meanwhile is no change to that; the rest of its record
 * is.
 */
export const useUpdatePlugin = (shown: PluginDto) => {
  const { t } = useTranslation('plugins')
  const textOf = useProblemText()
  const problemOf = useProblem()
  const input = { params: { id: shown.id } }
  const change = useChange(updatePlugin, { invalidates: aboutPlugins })
  const complain = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const putBack = async (body: UpdatePluginRequest): Promise<void> => {
    const { etag } = await call(readPlugin, input)
    change.mutate({ ...input, body, ifMatch: etag }, { onError: complain })
  }
  const save = async ({ body, undo, onDone }: PluginUpdate): Promise<void> => {
    const { body: current, etag } = await call(readPlugin, input)
    change.mutate(
      { ...input, body, ifMatch: isSetUpAlike(shown, current) ? etag : changedMeanwhile },
      {
        onError: () => void invalidate(readPlugin),
        onSuccess: () => {
          onDone?.()
          toast({
            text: t('saved', { name: shown.displayName }),
            ...(undo && { undo: () => void putBack(undo).catch(complain) }),
          })
        },
      },
    )
  }
  return {
    isPending: change.isPending,
    problem: problemOf(change.error),
    save: (options: PluginUpdate): void => void save(options).catch(complain),
  }
}

const isSetUpAlike = (one: PluginDto, other: PluginDto): boolean => setUpOf(one) === setUpOf(other)

/** Fields that change by themselves are left out. */
const setUpOf = (plugin: PluginDto): string =>
  JSON.stringify({
    ...plugin,
    enabled: null,
    disabledReason: null,
    healthStatus: null,
    failureCount: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    manifest: null,
    isolation: null,
    updatedAt: null,
  })
