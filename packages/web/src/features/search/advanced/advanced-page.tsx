import { readFilterPreset } from '@carrel/api'
import { SegmentedControl, TextInput } from '@mantine/core'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../../api/queries.ts'
import type { Tree } from '../../../text/condition-text.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Row } from '../../../ui/layout/layout.tsx'
import { Page, Section } from '../../../ui/layout/page.tsx'
import { Notice } from '../../../ui/state/state.tsx'
import styles from './advanced-page.module.css'
import { GroupBox } from './group-box.tsx'
import { JsonPanel } from './json-panel.tsx'
import { Presets } from './presets.tsx'
import { Results } from './results.tsx'
import { BuilderProvider } from './use-builder.tsx'
import { questionOf, useSearchBuilder } from './use-search.ts'
import { useTotal } from './list-query.ts'

const route = getRouteApi('/signed-in/framed/search/advanced')

/** The user builds any condition for a list; the address contains all of it. */
export const AdvancedPage = (): ReactNode => {
  const { t } = useTranslation('search')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { longCondition } = useLocation().state
  const { of, preset: presetId, page = 1 } = search
  const { data: preset } = useLater(
    readFilterPreset,
    { params: { id: presetId ?? '' } },
    { enabled: presetId !== undefined },
  )
  const requested = questionOf(search, longCondition, preset && { ...preset, condition: preset.condition as Tree })
  const builder = useSearchBuilder(of, requested)
  const { root, q, change, setWords } = builder
  const question = { condition: requested.condition, q: requested.q, sort: requested.sort }
  const total = useTotal(of, question)
  return (
    <Page
      title={t('advanced.title')}
      subtitle={total === undefined ? '…' : t(`advanced.total.${of}`, { count: total })}
    >
      <Row gap={3} align="stretch" wrap>
        <SegmentedControl
          aria-label={t('advanced.of')}
          value={of}
          data={[
            { value: 'series', label: t('kinds.series') },
            { value: 'books', label: t('kinds.books') },
          ]}
          onChange={(next) =>
            void navigate({ search: { of: next === 'books' ? 'books' : 'series', ...(q !== '' && { q }) } })
          }
        />
        <TextInput
          className={styles.words ?? ''}
          aria-label={t('advanced.words')}
          placeholder={t('advanced.words')}
          leftSection={<Icon name="search" size="small" />}
          maxLength={500}
          value={q}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
        />
      </Row>
      <Presets target={of} question={question} current={preset} />
      {requested.fault === undefined ? null : (
        <Notice kind="warning">{t('advanced.badAddress', { at: requested.fault })}</Notice>
      )}
      {longCondition === undefined ? null : <Notice kind="info">{t('advanced.tooLong')}</Notice>}
      <BuilderProvider target={of} root={root} change={change}>
        <GroupBox group={root} isRoot />
      </BuilderProvider>
      <JsonPanel target={of} root={root} onChange={change} />
      <Section title={t('advanced.results')}>
        <Results target={of} question={question} page={page} search={search} />
      </Section>
    </Page>
  )
}
