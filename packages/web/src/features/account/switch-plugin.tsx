import {
  disableUserPlugin,
  enableUserPlugin,
  listUserPlugins,
  readRecommendations,
  type UserPluginDto,
} from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'

/**
 * A user switches the plugin on or off for themselves. The switch is missing while the plugin lacks a connection it
 * needs.
 */
export const SwitchPlugin = ({ plugin }: { readonly plugin: UserPluginDto }): ReactNode => {
  const { t } = useTranslation('account')
  const textOf = useProblemText()
  const options = { invalidates: [listUserPlugins, readRecommendations] }
  const on = useChange(enableUserPlugin, options)
  const off = useChange(disableUserPlugin, options)
  const { id, enabled, connected, connection, pluginDisplayName: name } = plugin
  const word = t(enabled ? 'plugins.switchOff' : 'plugins.switchOn')
  if (!connected && connection === null) return null
  const put = (isOn: boolean, onSuccess: () => void): void => {
    const input = { params: { id } }
    const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
    if (isOn) on.mutate(input, { onSuccess, onError })
    else off.mutate(input, { onSuccess, onError })
  }
  const say = (): void =>
    toast({
      text: t(enabled ? 'plugins.switchedOff' : 'plugins.switchedOn', { name }),
      undo: () => put(enabled, () => undefined),
    })
  return (
    <Button
      variant="default"
      aria-label={`${word}: ${name}`}
      loading={on.isPending || off.isPending}
      onClick={() => put(!enabled, say)}
    >
      {word}
    </Button>
  )
}
