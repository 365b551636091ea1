import type { PluginDto } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useTimeText } from '../../text/time-text.ts'

type MarkKind = 'plain' | 'good' | 'warning' | 'danger'

interface Health {
  readonly word: string
  readonly kind: MarkKind
  readonly reason: string
}

const kinds = {
  unknown: 'plain',
  healthy: 'good',
  degraded: 'warning',
  unhealthy: 'danger',
  disabled: 'plain',
} as const

export const walls = ['environment', 'files', 'network', 'processes', 'memory'] as const

export const networkPermission = 'network'
/** Followed by a host and its port. */
export const addressPermission = 'network:'
export const readPermission = 'read:'

/** The pattern matches the server's sentence. */
const tooManyFailures = /^It failed (\d+) times within (\d+) seconds\.$/

/** It puts the state and the abilities of a plugin into words. */
export const usePluginText = () => {
  const { t, i18n } = useTranslation('plugins')
  const { ago, span } = useTimeText()
  const list = (words: readonly string[]): string =>
    new Intl.ListFormat(i18n.resolvedLanguage, { style: 'long', type: 'conjunction' }).format(words)

  const whyOff = (reason: string): string => {
    const [, times, seconds] = tooManyFailures.exec(reason) ?? []
    if (times === undefined || seconds === undefined) return reason
    return t('health.failedOften', { count: Number(times), time: span(Number(seconds) * 1000) })
  }

  const health = ({ healthStatus, disabledReason, failureCount }: PluginDto): Health => {
    if (healthStatus === 'disabled' && disabledReason !== null)
      return { word: t('health.switchedOff'), kind: 'danger', reason: whyOff(disabledReason) }
    const reason = t(`health.reason.${healthStatus}`, { count: failureCount })
    return { word: t(`health.${healthStatus}`), kind: kinds[healthStatus], reason }
  }

  /** Undefined: nobody knows before it has been started. */
  const abilities = ({ manifest }: PluginDto): string | undefined => {
    if (manifest === null) return undefined
    const { metadataProvider, userRecommendationProvider, userReadSync, releaseSource } = manifest.capabilities
    const words = [
      metadataProvider.includes('series') ? t('can.series') : undefined,
      metadataProvider.includes('book') ? t('can.books') : undefined,
      userRecommendationProvider ? t('can.recommendations') : undefined,
      userReadSync ? t('can.sync') : undefined,
      releaseSource ? t('can.releases') : undefined,
    ].filter((word) => word !== undefined)
    return words.length === 0 ? t('can.nothing') : words.join(' · ')
  }

  /** One line says what was enforced at the last start, and what was not. */
  const isolation = ({ manifest, isolation: held }: PluginDto): string => {
    if (manifest === null) return t('isolation.unknown')
    const named = (state: string): string[] =>
      walls.filter((wall) => held[wall] === state).map((wall) => t(`isolation.wall.${wall}`))
    const [enforced, open] = [named('enforced'), named('not_enforced')]
    if (open.length === 0) return t('isolation.all')
    return t('isolation.some', { enforced: list(enforced), open: list(open) })
  }

  const times = ({ lastSuccessAt, lastFailureAt }: PluginDto): string =>
    [
      lastSuccessAt === null ? undefined : t('lastSuccess', { when: ago(lastSuccessAt) }),
      lastFailureAt === null ? undefined : t('lastFailure', { when: ago(lastFailureAt) }),
    ]
      .filter((word) => word !== undefined)
      .join(' ')

  const program = ({ package: name, command, args }: PluginDto): string => name ?? [command, ...args].join(' ')

  return { health, abilities, isolation, times, program }
}
