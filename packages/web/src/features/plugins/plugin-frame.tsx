import { type PluginDto, readPlugin } from '@carrel/api'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../link.tsx'
import { useMay } from '../../me.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { usePluginText } from './plugin-text.ts'

interface PluginFrameProps {
  readonly id: string
  readonly children: (plugin: PluginDto) => ReactNode
}

/** What the pages about one plugin have in common: which it is, and the way between them. */
export const PluginFrame = ({ id, children }: PluginFrameProps): ReactNode => {
  const { t } = useTranslation('plugins')
  const text = usePluginText()
  const plugin = useRead(readPlugin, { params: { id } })
  const { pathname } = useLocation()
  const mayChange = useMay('plugins:write')
  const tab = (to: string, label: string) => ({ to, label, isCurrent: pathname === to })
  return (
    <Page title={plugin.displayName} subtitle={text.abilities(plugin) ?? t('can.unknown')} width="narrow">
      {mayChange ? (
        <Tabs
          label={t('tabs.label')}
          link={AppLink}
          tabs={[tab(paths.plugin(id), t('tabs.overview')), tab(paths.pluginSettings(id), t('tabs.settings'))]}
        />
      ) : null}
      {children(plugin)}
    </Page>
  )
}
