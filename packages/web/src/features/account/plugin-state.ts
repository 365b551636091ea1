import type { PluginSignInFailure, UserPluginDto } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useTimeText } from '../../text/time-text.ts'

const failures: Readonly<Record<PluginSignInFailure, true>> = {
  denied: true,
  expired: true,
  failed: true,
  off: true,
  unavailable: true,
  unknown: true,
}

const isFailure = (word: string): word is PluginSignInFailure => Object.hasOwn(failures, word)

/** Any other word in the address counts as a failure without a name. */
export const failureOf = (word: string): PluginSignInFailure => (isFailure(word) ? word : 'failed')

interface State {
  readonly kind: 'good' | 'plain' | 'danger'
  readonly word: string
  readonly text: string
}

/** It puts the state of the user's connection to a plugin into a word and a sentence. */
export const usePluginState = ({ enabled, connected, connection, requiresAuth, ...rest }: UserPluginDto): State => {
  const { t } = useTranslation('account')
  const { ago } = useTimeText()
  if (connection?.problem != null)
    return { kind: 'danger', word: t('plugins.broken'), text: t(`plugins.problem.${connection.problem}`) }
  const since = connection === null ? '' : sinceOf(connection.kind, rest.externalUsername)
  const when = connection === null ? '' : ago(connection.connectedAt)
  if (!enabled && connected) return { kind: 'plain', word: t('plugins.off'), text: t('plugins.offText') }
  if (!connected) return { kind: 'plain', word: t('plugins.notConnected'), text: t('plugins.notConnectedText') }
  if (since === 'as')
    return { kind: 'good', word: t('plugins.on'), text: t('plugins.as', { name: rest.externalUsername ?? '', when }) }
  if (since !== '') return { kind: 'good', word: t('plugins.on'), text: t(`plugins.by.${since}`, { when }) }
  const text = t(requiresAuth ? 'plugins.forAll' : 'plugins.needsNothing')
  const why = rest.enabledForEverybody ? ` ${t('plugins.forEverybody')}` : ''
  return { kind: 'good', word: t('plugins.on'), text: text + why }
}

const sinceOf = (kind: 'oauth' | 'token', name: string | null): 'as' | 'oauth' | 'token' =>
  name === null ? kind : 'as'
