import {
  disablePlugin,
  enablePlugin,
  listPlugins,
  type PluginDto,
  readPlugin,
  readPluginFailures,
  readPluginLog,
  readPluginMetrics,
  resetPlugin,
  testPlugin,
} from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { invalidate, useChange } from '../../api/queries.ts'
import { useProblem, useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'

/** These are all reads about plugins. */
export const aboutPlugins = [listPlugins, readPlugin, readPluginFailures, readPluginLog, readPluginMetrics] as const

/** Switching on and switching off undo each other. */
export const useSwitch = ({ id, displayName: name }: Pick<PluginDto, 'id' | 'displayName'>) => {
  const { t } = useTranslation('plugins')
  const textOf = useProblemText()
  const enable = useChange(enablePlugin, { invalidates: aboutPlugins })
  const disable = useChange(disablePlugin, { invalidates: aboutPlugins })
  const switchTo = async (isOn: boolean): Promise<void> => {
    try {
      await (isOn ? enable : disable).mutateAsync({ params: { id } })
      const undo = (): void => void switchTo(!isOn)
      toast({ text: t(isOn ? 'switchedOn' : 'switchedOff', { name }), undo })
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
  }
  return { isBusy: enable.isPending || disable.isPending, switchTo: (isOn: boolean): void => void switchTo(isOn) }
}

export const useReset = ({ id, displayName: name }: PluginDto) => {
  const { t } = useTranslation('plugins')
  const textOf = useProblemText()
  const change = useChange(resetPlugin, { invalidates: aboutPlugins })
  const reset = (): void =>
    change.mutate(
      { params: { id } },
      {
        onSuccess: () => toast({ text: t('resetDone', { name }) }),
        onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
      },
    )
  return { reset, isBusy: change.isPending }
}

/** The page shows the result. The test updates what is known of the plugin, whatever its result. */
export const useTest = ({ id }: PluginDto) => {
  const problemOf = useProblem()
  const change = useChange(testPlugin, { onDone: () => invalidate(...aboutPlugins) })
  return {
    test: (): void => change.mutate({ params: { id } }),
    isBusy: change.isPending,
    result: change.data,
    problem: problemOf(change.error),
  }
}
