import type { Connection, ConnectionRequest, ConnectionTrouble } from '@carrel/api'
import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useTimeText } from '../text/time-text.ts'
import { Columns, Stack, Text } from '../ui/layout/layout.tsx'
import { ListRow } from '../ui/row-list.tsx'
import styles from './connection-row.module.css'

interface ConnectionRowProps {
  readonly connection: Connection
  /** The connection belongs to somebody else than the signed-in user. */
  readonly ofOther?: boolean
}

/** One app: who it is, whether it gets on, and what it requested. */
export const ConnectionRow = ({ connection, ofOther = false }: ConnectionRowProps): ReactNode => {
  const { t } = useTranslation('account')
  const { ago } = useTimeText()
  const { app, door, usedAt, requests, trouble } = connection
  const by = useSignedInText(connection, ofOther)
  // A success after the failure ends the trouble.
  const isFailing = trouble !== null && trouble.at >= usedAt
  return (
    <ListRow
      icon="device"
      title={app ?? t('apps.unknown')}
      mark={
        <Badge className={styles.mark} variant="light" {...(isFailing && { color: 'red' })}>
          {t(isFailing ? 'apps.failing' : 'apps.fine')}
        </Badge>
      }
      text={[t(`apps.door.${door}`), by, ago(usedAt)].join(' · ')}
    >
      {trouble === null ? null : <Trouble trouble={trouble} ofOther={ofOther} />}
      <details className={styles.log}>
        <summary>{t('apps.requests')}</summary>
        <Requests requests={requests} />
      </details>
    </ListRow>
  )
}

const useSignedInText = ({ signedInBy, keyName }: Connection, ofOther: boolean): string => {
  const { t } = useTranslation('account')
  if (signedInBy === 'password' && ofOther) return t('apps.by.theirPassword')
  if (signedInBy !== 'key') return t(`apps.by.${signedInBy}`)
  return keyName === null ? t('apps.by.keyGone') : t('apps.by.key', { name: keyName })
}

const explained = [
  'wrong_password',
  'password_not_key',
  'wrong_key',
  'not_allowed',
  'rate_limit_exceeded',
  'unavailable',
] as const

interface TroubleProps {
  readonly trouble: ConnectionTrouble
  readonly ofOther: boolean
}

const Trouble = ({ trouble: { code, message, at }, ofOther }: TroubleProps): ReactNode => {
  const { t } = useTranslation('account')
  const { ago } = useTimeText()
  const explainedCode = explained.find((each) => each === code)
  const what = explainedCode
    ? t(`apps.${ofOther ? 'theirCode' : 'code'}.${explainedCode}`)
    : t('apps.code.other', { message })
  return <Text size={14}>{t('apps.trouble', { what, when: ago(at) })}</Text>
}

const Requests = ({ requests }: { readonly requests: readonly ConnectionRequest[] }): ReactNode => {
  const { t } = useTranslation('account')
  const { moment } = useTimeText()
  return (
    <Stack as="ol" gap={2} className={styles.requests}>
      {requests.map(({ at, method, path, status, count }) => (
        <Columns as="li" key={`${at} ${method} ${path}`} gap={3} rowGap={0} align="baseline">
          <Text as="span" quiet size={13}>
            {moment(at)}
          </Text>
          <span className={styles.path} dir="ltr">{`${method} ${path}`}</span>
          <Text as="span" quiet size={13} data-is-bad={status >= 400 || undefined}>
            {count > 1 ? `${status} · ${t('apps.times', { count })}` : status}
          </Text>
        </Columns>
      ))}
    </Stack>
  )
}
