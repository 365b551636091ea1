import type { PluginAction } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/call.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Row, Text } from '../../ui/layout/layout.tsx'
import { Notice } from '../../ui/state/state.tsx'
import styles from './matching.module.css'

/** The kind of failure follows from the code that the server sends with it. */
const kinds = {
  TIMEOUT: 'slow',
  CANCELLED: 'slow',
  RATE_LIMITED: 'limited',
  UNAVAILABLE: 'away',
  API_ERROR: 'service',
  AUTH_FAILED: 'credentials',
  CONFIG_ERROR: 'settings',
  INIT_ERROR: 'broken',
  PROCESS_CRASHED: 'broken',
  PROTOCOL_ERROR: 'broken',
  RPC_ERROR: 'broken',
} as const

type Kind = (typeof kinds)[keyof typeof kinds]

interface Failure {
  readonly kind: Kind
  /** It is the plugin's own message. */
  readonly message: string
  readonly seconds: number
}

const failureIn = (error: unknown): Failure | undefined => {
  if (!(error instanceof ApiProblem) || error.reason !== 'plugin_failed') return undefined
  const { code, message } = error.values
  const kind = Object.entries(kinds).find(([name]) => name === code)?.[1]
  return kind && { kind, message: String(message ?? ''), seconds: error.retryAfterSeconds ?? 10 }
}

/** The sentence says what is wrong with a plugin that was asked, and what to do. */
export const useFailureText = (): ((error: unknown, plugin: string) => string) => {
  const { t } = useTranslation('matching')
  const textOf = useProblemText()
  return (error, plugin) => {
    if (error instanceof ApiProblem && error.code === 'not_found') return t('failure.unknown', { plugin })
    const failure = failureIn(error)
    return failure === undefined ? textOf(error) : t(`failure.${failure.kind}`, { plugin, count: failure.seconds })
  }
}

interface AskFailedProps {
  readonly error: unknown
  readonly plugin: Pick<PluginAction, 'pluginId' | 'pluginDisplayName'>
  readonly isTrying?: boolean
  readonly onRetry?: () => void
}

/** The message takes the place of the answer. */
export const AskFailed = ({ error, plugin, isTrying = false, onRetry }: AskFailedProps): ReactNode => {
  const { t } = useTranslation('matching')
  const text = useFailureText()
  const mayReadPlugins = useMay('plugins:read')
  const { message = '', kind } = failureIn(error) ?? {}
  return (
    <Notice kind="warning">
      <Text>{text(error, plugin.pluginDisplayName)}</Text>
      {message === '' ? null : (
        <Text size={14}>
          {t('failure.said')} <bdi>{message}</bdi>
        </Text>
      )}
      <Row gap={2} align="stretch" wrap touch className={styles.buttons}>
        {onRetry === undefined ? null : (
          <Button size="compact-sm" variant="default" loading={isTrying} onClick={onRetry}>
            {t('tryAgain')}
          </Button>
        )}
        {kind === undefined || !mayReadPlugins ? null : (
          <Button size="compact-sm" variant="default" component={AppLink} to={paths.plugin(plugin.pluginId)}>
            {t('failure.toPlugin')}
          </Button>
        )}
      </Row>
    </Notice>
  )
}
