import { type PluginDto, readPlugin, updatePlugin, type UpdatePluginRequest } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { invalidate, useChange } from '../../api/queries.ts'
import { useProblemText } from '../../problem-text.ts'
import { toast } from '../../ui/toasts.tsx'
import { aboutPlugins } from './use-plugin-changes.ts'

interface Wish {
  readonly body: UpdatePluginRequest
  /** What puts it back; nothing where nothing can. */
  readonly undo?: UpdatePluginRequest
  readonly onDone?: () => void
}

/** A tag that no record has. */
const changedMeanwhile = '"changed-meanwhile"'

/** Changes how a plugin is set up. That it was asked something meanwhile is no change to that; the rest of its record is. */
export const useUpdatePlugin = (shown: PluginDto) => {
  const { t } = useTranslation('plugins')
  const textOf = useProblemText()
  const input = { params: { id: shown.id } }
  const change = useChange(updatePlugin, { invalidates: aboutPlugins })
  const complain = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const putBack = async (body: UpdatePluginRequest): Promise<void> => {
    const { etag } = await call(readPlugin, input)
    change.mutate({ ...input, body, ifMatch: etag }, { onError: complain })
  }
  const save = async ({ body, undo, onDone }: Wish): Promise<void> => {
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
    problem: change.error ? textOf(change.error) : undefined,
    save: (wish: Wish): void => void save(wish).catch(complain),
  }
}

const isSetUpAlike = (one: PluginDto, other: PluginDto): boolean => setUpOf(one) === setUpOf(other)

/** Without what it comes to by itself. */
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
