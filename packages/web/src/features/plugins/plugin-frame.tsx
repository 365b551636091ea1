import { type PluginDto, readPlugin } from '@carrel/api'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { usePluginText } from './plugin-text.ts'

interface PluginFrameProps {
  readonly id: string
  readonly children: (plugin: PluginDto) => ReactNode
}

/** It frames the pages about one plugin: its name, and the links between the pages. */
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
