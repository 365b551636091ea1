import type { PluginDto } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useTimeText } from '../../text/time-text.ts'
import { Details } from '../../ui/detail/details.tsx'
import { Synopsis } from '../../ui/detail/synopsis.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Columns, Stack } from '../../ui/layout/layout.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { EndOfPlugin } from './end-of-plugin.tsx'
import { Failures } from './failures.tsx'
import { Figures } from './figures.tsx'
import { PluginLog } from './log.tsx'
import { PluginFrame } from './plugin-frame.tsx'
import { networkPermission, addressPermission, readPermission, usePluginText, walls } from './plugin-text.ts'
import styles from './plugins.module.css'
import { Standing } from './standing.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/plugins/$pluginId')

/** The page shows the state of one plugin, its permissions and isolation, and its failures. */
export const PluginPage = (): ReactNode => {
  const { pluginId } = route.useParams()
  return (
    <PluginFrame id={pluginId}>
      {(plugin) => (
        <>
          <Standing key={plugin.id} plugin={plugin} />
          <About plugin={plugin} />
          <Permissions plugin={plugin} />
          <Isolation plugin={plugin} />
          <Failures id={pluginId} />
          <PluginLog id={pluginId} />
          <Figures id={pluginId} />
          <EndOfPlugin plugin={plugin} />
        </>
      )}
    </PluginFrame>
  )
}

/** A plugin may name any address: only web pages are linked. */
const isWebPage = (address: string): boolean => /^https?:\/\//i.test(address)

const About = ({ plugin }: { readonly plugin: PluginDto }): ReactNode => {
  const { t } = useTranslation('plugins')
  const { program } = usePluginText()
  const { day } = useTimeText()
  const { manifest, name, description, libraryIds, scopes, createdAt } = plugin
  const homepage = manifest?.homepage ?? null
  const about = description ?? manifest?.description ?? null
  const instructions = manifest?.adminSetupInstructions ?? null
  return (
    <Section title={t('about.title')}>
      {about === null ? null : <Synopsis text={about} />}
      <Details
        rows={[
          { label: t('about.program'), value: <code>{program(plugin)}</code> },
          { label: t('about.version'), value: manifest?.version },
          { label: t('about.author'), value: manifest?.author },
          {
            label: t('about.homepage'),
            value:
              homepage !== null && isWebPage(homepage) ? (
                <a href={homepage} target="_blank" rel="noopener noreferrer">
                  {homepage}
                </a>
              ) : (
                homepage
              ),
          },
          { label: t('about.name'), value: name },
          { label: t('about.scopes'), value: scopes.join(', ') },
          {
            label: t('about.libraries'),
            value: libraryIds.length === 0 ? t('about.allLibraries') : t('about.some', { count: libraryIds.length }),
          },
          { label: t('about.since'), value: day(createdAt) },
        ]}
      />
      {instructions === null ? null : (
        <details>
          <summary>{t('about.instructions')}</summary>
          <Synopsis text={instructions} />
        </details>
      )}
    </Section>
  )
}

const Permissions = ({ plugin: { permissions } }: { readonly plugin: PluginDto }): ReactNode => {
  const { t } = useTranslation('plugins')
  const words = permissions.map((permission) => {
    if (permission === networkPermission) return t('permissions.mayNetwork')
    if (permission.startsWith(addressPermission))
      return t('permissions.mayReach', { place: permission.slice(addressPermission.length) })
    return permission.startsWith(readPermission)
      ? t('permissions.mayRead', { path: permission.slice(readPermission.length) })
      : permission
  })
  return (
    <Section title={t('permissions.title')} text={words.length === 0 ? t('permissions.none') : undefined}>
      {words.length === 0 ? null : (
        <Stack as="ul" gap={1} className={styles.list}>
          {words.map((word) => (
            <li key={word}>{word}</li>
          ))}
        </Stack>
      )}
    </Section>
  )
}

/** It shows what this machine enforced at the last start. Measures that were not tested do not count as enforced. */
const Isolation = ({ plugin }: { readonly plugin: PluginDto }): ReactNode => {
  const { t } = useTranslation('plugins')
  const text = usePluginText()
  const { manifest, isolation, permissions } = plugin
  const held = [text.isolation(plugin), manifest === null ? '' : t('isolation.when')].join(' ')
  const mayReach = permissions.some((each) => each === networkPermission || each.startsWith(addressPermission))
  return (
    <Section title={t('isolation.title')} text={held}>
      {manifest === null ? null : (
        <Stack as="ul" gap={2} className={styles.walls}>
          {walls.map((wall) => {
            const isHeld = isolation[wall] === 'enforced'
            return (
              <Columns as="li" key={wall} gap={2} align="start">
                <Icon name={isHeld ? 'check' : 'warning'} size="small" />
                <span>
                  {wall === 'network' && mayReach
                    ? t(isHeld ? 'isolation.networkGuarded' : 'isolation.networkGranted')
                    : t(`isolation.means.${wall}`)}
                </span>
                <Mark kind={isHeld ? 'good' : 'warning'}>{t(isHeld ? 'isolation.held' : 'isolation.open')}</Mark>
              </Columns>
            )
          })}
        </Stack>
      )}
    </Section>
  )
}
