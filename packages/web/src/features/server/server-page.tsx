import { listOidcProviders, listSettings, readLiveness, readReadiness, readServerStatus } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { call } from '../../api/call.ts'
import { invalidate, useLater, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useSizeText } from '../../text/size-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Copyable } from '../../ui/form/copyable.tsx'
import { Details } from '../../ui/detail/details.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { ServerWords } from '../../ui/state/server-words.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { Meter } from '../../ui/state/meter.tsx'
import { Page, Section } from '../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { limitsInput } from './limits-input.ts'
import styles from './server.module.css'

/** The page shows the state of the server, its parts, and how it is reached. */
export const ServerPage = (): ReactNode => {
  const { t } = useTranslation('server')
  return (
    <Page title={t('title')} width="narrow" actions={<CheckAgain />}>
      <Health />
      <About />
      <Storage />
      <Workers />
      <Limits />
      <Connection />
      <Providers />
    </Page>
  )
}

const CheckAgain = (): ReactNode => {
  const { t } = useTranslation('server')
  const [isChecking, setChecking] = useState(false)
  const check = async (): Promise<void> => {
    setChecking(true)
    await invalidate(readServerStatus, readReadiness, readLiveness)
    setChecking(false)
    toast({ text: t('looked') })
  }
  return (
    <Button
      variant="default"
      leftSection={<Icon name="refresh" size="small" />}
      loading={isChecking}
      onClick={() => void check()}
    >
      {t('look')}
    </Button>
  )
}

const checks = ['database', 'storage', 'migration', 'worker', 'process'] as const

const Health = (): ReactNode => {
  const { t } = useTranslation('server')
  const { data, error } = useLater(readReadiness, {})
  if (error) return <Section title={t('health.title')}>{t('health.notReady')}</Section>
  const checkEntries = Object.entries(data?.checks ?? {})
  return (
    <Section title={t('health.title')}>
      <Stack as="ul" gap={2} className={styles.checks} aria-busy={data === undefined}>
        {checkEntries.map(([name, { status, code, message }]) => {
          const check = checks.find((each) => each === name)
          return (
            <Row as="li" key={name} gap={2} rowGap={1} wrap>
              <Icon name={status === 'ok' ? 'check' : 'warning'} size="small" />
              <span>{check === undefined ? name : t(`health.${check}`)}</span>
              <Mark kind={status === 'ok' ? 'good' : 'danger'}>{t(`health.status.${status}`)}</Mark>
              {message === undefined ? null : (
                <Text as="span" quiet size={13}>
                  {t(`health.problem.${code ?? 'broken'}`)}
                  <ServerWords text={message} />
                </Text>
              )}
            </Row>
          )
        })}
      </Stack>
    </Section>
  )
}

const About = (): ReactNode => {
  const { t } = useTranslation('server')
  const { ago, moment } = useTimeText()
  const size = useSizeText()
  const { version, apiVersion, node, host, startedAt, database } = useRead(readServerStatus, {})
  return (
    <Section title={t('about.title')}>
      <Details
        rows={[
          { label: t('about.version'), value: version },
          { label: t('about.api'), value: <a href={`${basePath}/api/docs`}>{apiVersion}</a> },
          { label: t('about.node'), value: node },
          { label: t('about.host'), value: <bdi>{host}</bdi> },
          { label: t('about.started'), value: `${moment(startedAt)} (${ago(startedAt)})` },
          {
            label: t('about.database'),
            value: t('about.databaseText', {
              kind: t(`about.${database.kind}`),
              size: size(database.bytes),
              version: database.schemaVersion,
            }),
          },
        ]}
      />
    </Section>
  )
}

const Storage = (): ReactNode => {
  const { t } = useTranslation('server')
  const size = useSizeText()
  const { storage } = useRead(readServerStatus, {})
  const { dataDir, bytesFree, bytesTotal } = storage
  const text = t('storage.free', { free: size(bytesFree), total: size(bytesTotal) })
  return (
    <Section title={t('storage.title')} text={<code className={styles.path}>{dataDir}</code>}>
      <Meter label={t('storage.used')} done={bytesTotal - bytesFree} total={bytesTotal} />
      <Text>
        {text} <AppLink to={paths.backups()}>{t('storage.toBackups')}</AppLink>
      </Text>
    </Section>
  )
}

const Workers = (): ReactNode => {
  const { t } = useTranslation('server')
  const { ago } = useTimeText()
  const { workers } = useRead(readServerStatus, {})
  return (
    <Section title={t('workers.title')} text={t(workers.length === 0 ? 'workers.none' : 'workers.text')}>
      <RowList label={t('workers.title')}>
        {workers.map(({ host, startedAt, lastSeenAt, tasks }) => (
          <ListRow
            key={`${host} ${startedAt}`}
            icon="server"
            title={<bdi>{host}</bdi>}
            mark={tasks === 0 ? undefined : <Mark kind="busy">{t('workers.tasks', { count: tasks })}</Mark>}
            text={t('workers.seen', { started: ago(startedAt), seen: ago(lastSeenAt) })}
          />
        ))}
      </RowList>
    </Section>
  )
}

const limits = ['anonymous_rps', 'anonymous_burst', 'authenticated_rps', 'authenticated_burst'] as const

const Limits = (): ReactNode => {
  const { t, i18n } = useTranslation('server')
  const mayRead = useMay('settings:read')
  const { data } = useLater(listSettings, limitsInput, { enabled: mayRead })
  if (data === undefined) return null
  const number = new Intl.NumberFormat(i18n.resolvedLanguage)
  const rows = limits.map((limit) => {
    const value = data.settings.find(({ key }) => key === `rate_limit.${limit}`)?.value
    return { label: t(`limits.${limit}`), value: typeof value === 'number' ? number.format(value) : undefined }
  })
  return (
    <Section
      title={t('limits.title')}
      actions={
        <Button component={AppLink} to={paths.serverSettings({ q: 'rate_limit' })} variant="default">
          {t('limits.change')}
        </Button>
      }
    >
      <Details rows={rows} />
    </Section>
  )
}

/** It shows how this browser reaches the server, and how long an answer takes. */
const Connection = (): ReactNode => {
  const { t } = useTranslation('server')
  const { span } = useTimeText()
  const { data: liveness } = useLater(readLiveness, {})
  const [tookMs, setTook] = useState<number>()
  const measure = async (): Promise<void> => {
    const begun = performance.now()
    await call(readLiveness, {})
    setTook(performance.now() - begun)
  }
  const isPlain = location.protocol === 'http:'
  return (
    <Section title={t('connection.title')}>
      <Copyable label={t('connection.address')} text={`${location.origin}${basePath}`} />
      {isPlain ? (
        <Text quiet size={13}>
          {t('connection.plain')}
        </Text>
      ) : null}
      <Details
        rows={[
          {
            label: t('connection.delay'),
            value: liveness === undefined ? '…' : span(Math.round(liveness.eventLoopDelayMs)),
          },
          {
            label: t('connection.roundTrip'),
            value: (
              <>
                {tookMs === undefined ? null : <span role="status">{span(Math.round(tookMs))}</span>}
                <Button variant="default" size="compact-sm" onClick={() => void measure().catch(() => undefined)}>
                  {t('connection.measure')}
                </Button>
              </>
            ),
          },
        ]}
      />
    </Section>
  )
}

const Providers = (): ReactNode => {
  const { t } = useTranslation('server')
  const { providers } = useRead(listOidcProviders, {})
  return (
    <Section title={t('providers.title')} text={providers.length === 0 ? t('providers.none') : t('providers.text')}>
      <RowList label={t('providers.title')}>
        {providers.map(({ name, displayName, loginUrl }) => (
          <ListRow
            key={name}
            icon="key"
            title={displayName}
            text={
              <code className={styles.path}>
                {`${location.origin}${basePath}${loginUrl.replace(/\/login$/, '/callback')}`}
              </code>
            }
          />
        ))}
      </RowList>
    </Section>
  )
}
