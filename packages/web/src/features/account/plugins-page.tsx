import { listUserPlugins, type UserPluginDto } from '@carrel/api'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { EmptyState, Notice } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { AccountPage } from './account-page.tsx'
import styles from './account.module.css'
import { ConnectPlugin } from './connect-plugin.tsx'
import { ForgetPlugin } from './forget-plugin.tsx'
import { PluginConfig } from './plugin-config.tsx'
import { failureOf, usePluginState } from './plugin-state.ts'
import { SwitchPlugin } from './switch-plugin.tsx'
import { WayOut } from '../../navigation/way-out.tsx'

const route = getRouteApi('/signed-in/framed/account/plugins')

/** The page shows what plugins do for the user, and which data of theirs they have. */
export const PluginsPage = (): ReactNode => {
  const { t } = useTranslation('account')
  const { plugins } = useRead(listUserPlugins, {})
  const { error } = route.useSearch()
  useConnected(plugins)
  return (
    <AccountPage>
      {error === undefined ? null : <Notice kind="danger">{t(`plugins.failed.${failureOf(error)}`)}</Notice>}
      {plugins.length === 0 ? <NoPlugins /> : <Text>{t('plugins.text')}</Text>}
      {plugins.map((plugin) => (
        <OnePlugin key={plugin.id} plugin={plugin} />
      ))}
    </AccountPage>
  )
}

/** A user who comes back from signing in elsewhere is told so once. */
const useConnected = (plugins: readonly UserPluginDto[]): void => {
  const { t } = useTranslation('account')
  const router = useRouter()
  const { connected } = route.useSearch()
  const name = plugins.find(({ id, connected: is }) => id === connected && is)?.pluginDisplayName
  useEffect(() => {
    if (connected === undefined) return
    if (name !== undefined) toast({ text: t('plugins.connected', { name }) })
    void router.navigate({ href: paths.accountPlugins(), replace: true })
  }, [connected, name, router, t])
}

const NoPlugins = (): ReactNode => {
  const { t } = useTranslation('account')
  const isAdmin = useMay('plugins:read')
  return (
    <EmptyState
      icon="plug"
      title={t('plugins.none')}
      text={t('plugins.noneText')}
      action={isAdmin ? <WayOut to={paths.plugins()} label={t('plugins.toAdmin')} /> : <WayOut to={paths.home()} />}
    />
  )
}

const OnePlugin = ({ plugin }: { readonly plugin: UserPluginDto }): ReactNode => {
  const { t } = useTranslation('account')
  const { kind, word, text } = usePluginState(plugin)
  const { pluginDisplayName: name, description, userSetupInstructions, enabled, connection, userConfigSchema } = plugin
  const fields = userConfigSchema?.fields ?? []
  return (
    <Section title={name} text={description ?? undefined}>
      <Stack gap={4} align="start" box pad={4} className={styles.plugin}>
        <Text className={styles.standing} role="status" dir="auto">
          <Mark kind={kind}>{word}</Mark> {text}
        </Text>
        {userSetupInstructions === null ? null : (
          <details className={styles.fold}>
            <summary>{t('plugins.howTo')}</summary>
            <p className={styles.instructions} dir="auto">
              {userSetupInstructions}
            </p>
          </details>
        )}
        <ConnectPlugin plugin={plugin} />
        {(enabled || connection !== null) && fields.length > 0 ? (
          <PluginConfig key={JSON.stringify(plugin.config)} plugin={plugin} />
        ) : null}
        <Row gap={2} align="stretch" wrap>
          <SwitchPlugin plugin={plugin} />
          <ForgetPlugin plugin={plugin} />
        </Row>
      </Stack>
    </Section>
  )
}
