import { listPlugins, type PluginDto } from '@carrel/api'
import { Button, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { RowLink } from '../../navigation/row-link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/layout/layout.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { Install } from './install.tsx'
import { Packages } from './packages.tsx'
import { usePluginText } from './plugin-text.ts'
import styles from './plugins.module.css'
import { useSwitch } from './use-plugin-changes.ts'

/** The plugins that are set up, the packages there are for more, and the way to install one. */
export const PluginsPage = (): ReactNode => {
  const { t } = useTranslation('plugins')
  const { plugins } = useRead(listPlugins, {})
  const mayChange = useMay('plugins:write')
  const add = mayChange ? (
    <Button component={AppLink} to={paths.newPlugin()} leftSection={<Icon name="plus" size="small" />}>
      {t('new')}
    </Button>
  ) : undefined
  return (
    <Page title={t('title')} subtitle={t('text')} width="narrow" actions={plugins.length === 0 ? undefined : add}>
      {plugins.length === 0 ? (
        <EmptyState icon="plug" title={t('none')} text={t('noneText')} action={add} />
      ) : (
        <RowList label={t('title')}>
          {plugins.map((plugin) => (
            <PluginRow key={plugin.id} plugin={plugin} />
          ))}
        </RowList>
      )}
      <Packages />
      {mayChange ? <Install /> : null}
    </Page>
  )
}

const PluginRow = ({ plugin }: { readonly plugin: PluginDto }): ReactNode => {
  const { t } = useTranslation('plugins')
  const text = usePluginText()
  const mayChange = useMay('plugins:write')
  const { isBusy, switchTo } = useSwitch(plugin)
  const { id, displayName: name, enabled } = plugin
  const { word, kind, reason } = text.health(plugin)
  const times = text.times(plugin)
  return (
    <ListRow
      icon="plug"
      title={
        <RowLink to={paths.plugin(id)}>
          <bdi>{name}</bdi>
        </RowLink>
      }
      mark={<Mark kind={kind}>{word}</Mark>}
      text={
        <>
          {text.abilities(plugin) ?? t('can.unknown')}
          <br />
          {[reason, times].filter((words) => words !== '').join(' ')}
        </>
      }
      actions={
        mayChange ? (
          <Switch
            size="md"
            className={styles.toggle ?? ''}
            label={t('isOn')}
            aria-label={t('isOnOf', { name })}
            checked={enabled}
            disabled={isBusy}
            onChange={({ currentTarget }) => switchTo(currentTarget.checked)}
          />
        ) : undefined
      }
    >
      <Text quiet size={13}>
        {text.isolation(plugin)}
      </Text>
    </ListRow>
  )
}
