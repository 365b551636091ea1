import { type LibraryDto, previewLibrary, type ScanPreview } from '@carrel/api'
import { Radio } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { query } from '../../../api/queries.ts'
import { useProblemText } from '../../../text/problem-text.ts'
import { Row, Stack, Text } from '../../../ui/layout/layout.tsx'
import { PageSkeleton } from '../../../ui/state/skeleton.tsx'
import { Notice } from '../../../ui/state/state.tsx'
import { choosablePolicies } from '../choosable-policies.ts'
import type { Draft } from './draft.ts'
import styles from './settings-page.module.css'

interface GroupingFieldProps {
  readonly library: LibraryDto
  readonly policy: Draft['policy']
  readonly onChange: (policy: Draft['policy']) => void
}

/** The policy says how files become series; another one is previewed before it is saved, as it moves books. */
export const GroupingField = ({ library, policy, onChange }: GroupingFieldProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const policies = choosablePolicies(library.grouping.policy)
  return (
    <>
      <Radio.Group
        label={t('new.grouping')}
        value={policy}
        onChange={(value) => onChange(policies.find((each) => each === value) ?? policy)}
      >
        <Stack gap={3} className={styles.choices}>
          {policies.map((each) => (
            <Radio key={each} value={each} label={t(`policy.${each}.name`)} description={t(`policy.${each}.text`)} />
          ))}
        </Stack>
      </Radio.Group>
      {policy === library.grouping.policy ? null : <WhatMoves library={library} policy={policy} />}
    </>
  )
}

/** The server looks through the folders and says what would become of them; the form sends along that somebody has seen it. */
export const useGroupingPreview = (library: LibraryDto, policy: Draft['policy']) =>
  useQuery({
    ...query(previewLibrary, { params: { id: library.id }, body: { grouping: { policy } } }),
    enabled: policy !== library.grouping.policy,
    staleTime: 0,
    refetchOnMount: false,
  })

const WhatMoves = ({ library, policy }: Pick<GroupingFieldProps, 'library' | 'policy'>): ReactNode => {
  const { t } = useTranslation('libraries')
  const textOf = useProblemText()
  const { data, error } = useGroupingPreview(library, policy)
  return (
    <Stack as="section" gap={2} pad={4} className={styles.preview} aria-label={t('regroup.title')}>
      <h3 className={styles.previewTitle}>{t('regroup.title')}</h3>
      {error ? <Notice kind="danger">{textOf(error)}</Notice> : null}
      {data === undefined ? error ? null : <PageSkeleton /> : <Moved library={library} preview={data.body} />}
    </Stack>
  )
}

const Moved = ({ library, preview }: { readonly library: LibraryDto; readonly preview: ScanPreview }): ReactNode => {
  const { t } = useTranslation('libraries')
  const { series, truncated } = preview
  // Several that come of one series are a series that is parted.
  const sources = Map.groupBy(series, ({ was }) => was ?? '')
  const isParted = (was: string | null): boolean => was !== null && (sources.get(was)?.length ?? 0) > 1
  return (
    <>
      <Text role="status">{t('regroup.sum', { count: series.length, before: library.seriesCount })}</Text>
      {truncated ? <Notice kind="info">{t('preview.truncated')}</Notice> : null}
      <Stack as="ul" className={styles.series} aria-label={t('regroup.series')} tabIndex={0}>
        {series.map(({ name, path, bookCount, was }) => (
          <Row as="li" key={`${path}/${name}`} gap={3} align="stretch" justify="between">
            <span dir="auto">{name}</span>
            <span className={styles.count}>
              {t('preview.bookCount', { count: bookCount })}
              {was === null ? ` · ${t('regroup.new')}` : isParted(was) ? ` · ${t('regroup.parted')}` : ''}
            </span>
          </Row>
        ))}
      </Stack>
      <Text quiet size={14}>
        {t('regroup.hint')}
      </Text>
    </>
  )
}
