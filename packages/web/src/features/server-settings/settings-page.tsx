import { listSettings, type SettingDto } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { FindField } from '../../ui/form/find-field.tsx'
import { Grid, Stack, Text } from '../../ui/layout/layout.tsx'
import { Page, Section } from '../../ui/layout/page.tsx'
import { useShortcuts } from '../../ui/keyboard/shortcuts.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { SettingCard } from './setting-card.tsx'
import { SettingHistory } from './setting-history.tsx'
import { useSettingText } from './setting-text.ts'
import styles from './settings.module.css'
import { ShowAll } from '../../navigation/way-out.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/settings')

/** The page lists everything that can be changed while the server runs. */
export const SettingsPage = (): ReactNode => {
  const { t } = useTranslation('server-settings')
  const { q = '', history } = route.useSearch()
  const navigate = route.useNavigate()
  const { settings } = useRead(listSettings, {})
  const find = useRef<HTMLInputElement>(null)
  useShortcuts(t('title'), [{ keys: 'f', label: t('find'), run: () => find.current?.focus() }])
  const matching = useMatching(settings, q)
  const words = q === '' ? {} : { q }
  const open = settings.find(({ key }) => key === history)
  return (
    <Page title={t('title')} subtitle={t('text')}>
      <Stack gap={1} role="search" aria-label={t('find')} className={styles.search}>
        <FindField
          label={t('find')}
          value={q}
          onChange={(text) => void navigate({ search: text.trim() === '' ? {} : { q: text }, replace: true })}
          input={find}
        />
        <Text as="span" quiet size={13} role="status">
          {t('found', { count: matching.length })}
        </Text>
      </Stack>
      {matching.length === 0 ? (
        <EmptyState
          icon="search"
          title={t('none')}
          text={t('noneText')}
          action={<ShowAll onClick={() => void navigate({ search: {}, replace: true })} />}
        />
      ) : null}
      <ByCategory settings={matching} onHistory={(key) => void navigate({ search: { ...words, history: key } })} />
      {open === undefined ? null : (
        <SettingHistory setting={open} onClose={() => void navigate({ search: words, replace: true })} />
      )}
    </Page>
  )
}

/** A setting matches when it has every word somewhere: in its title, its key or its description. */
const useMatching = (settings: readonly SettingDto[], q: string): readonly SettingDto[] => {
  const text = useSettingText()
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return settings.filter((setting) => {
    const all = [
      setting.key,
      setting.description,
      text.name(setting),
      text.text(setting),
      text.category(setting.category),
    ]
      .join(' ')
      .toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

interface ByCategoryProps {
  readonly settings: readonly SettingDto[]
  readonly onHistory: (key: string) => void
}

const ByCategory = ({ settings, onHistory }: ByCategoryProps): ReactNode => {
  const text = useSettingText()
  return [...Map.groupBy(settings, ({ category }) => category)].map(([category, ofCategory]) => (
    <Section key={category} title={text.category(category)}>
      <Grid as="ul" gap={3} min={24}>
        {ofCategory.map((setting) => (
          <SettingCard key={setting.key} setting={setting} onHistory={() => onHistory(setting.key)} />
        ))}
      </Grid>
    </Section>
  ))
}
