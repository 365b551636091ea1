import { type Grouping, type GroupingAdvice, type LibraryDto, previewLibrary, type ScanPreview } from '@carrel/api'
import { Button } from '@mantine/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { query } from '../../../api/queries.ts'
import { useProblemText } from '../../../text/problem-text.ts'
import { Row, Stack, Text } from '../../../ui/layout/layout.tsx'
import { PageSkeleton } from '../../../ui/state/skeleton.tsx'
import { Notice } from '../../../ui/state/state.tsx'
import { Doubts } from '../grouping/doubts.tsx'
import { GroupingChoice } from '../grouping/grouping-choice.tsx'
import { adviceFor, isComplete, isSameGrouping } from '../grouping/grouping.ts'
import { isAboutField } from '../grouping/problem.ts'
import styles from './settings-page.module.css'

interface GroupingFieldProps {
  readonly library: LibraryDto
  readonly grouping: Grouping
  readonly preview: UseQueryResult<ScanPreview>
  readonly onAsk: () => void
  readonly onChange: (grouping: Grouping) => void
}

/** The grouping says how files become series; another one is previewed before it is saved, as it moves books. */
export const GroupingField = ({ library, grouping, preview, onAsk, onChange }: GroupingFieldProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const textOf = useProblemText()
  const { data, error, isFetching } = preview
  // Advice is about the folders: it stays while another grouping is previewed.
  const [advice, setAdvice] = useState<readonly GroupingAdvice[]>([])
  if (data !== undefined && data.advice !== advice) setAdvice(data.advice)
  const isStanding = isSameGrouping(grouping, library.grouping)
  return (
    <>
      <GroupingChoice
        grouping={grouping}
        advice={advice}
        isLoading={isFetching && advice.length === 0}
        error={error}
        // A policy that has been left and is taken again is as it stands.
        onChange={(next) =>
          onChange(next.policy === library.grouping.policy && next.policy !== grouping.policy ? library.grouping : next)
        }
      />
      {isStanding && advice.length === 0 && !isFetching ? (
        <div>
          <Button variant="default" onClick={onAsk}>
            {t('advice.ask')}
          </Button>
        </div>
      ) : null}
      {isStanding && error ? <Notice kind="danger">{textOf(error)}</Notice> : null}
      {isStanding ? <Doubts advice={adviceFor(grouping, advice)} /> : null}
      {isStanding || !isComplete(grouping) || isAboutField(error) ? null : (
        <WhatMoves library={library} grouping={grouping} preview={preview} />
      )}
    </>
  )
}

/** The server looks through the folders and says what would become of them; the form sends along that somebody has seen it. */
export const useGroupingPreview = (library: LibraryDto, grouping: Grouping, isRequested: boolean) =>
  useQuery({
    ...query(previewLibrary, { params: { id: library.id }, body: { grouping } }),
    select: ({ body }) => body,
    enabled: isComplete(grouping) && (isRequested || !isSameGrouping(grouping, library.grouping)),
    staleTime: 0,
    refetchOnMount: false,
  })

const WhatMoves = ({ library, grouping, preview }: Omit<GroupingFieldProps, 'onAsk' | 'onChange'>): ReactNode => {
  const { t } = useTranslation('libraries')
  const textOf = useProblemText()
  const { data, error } = preview
  return (
    <Stack as="section" gap={2} pad={4} className={styles.preview} aria-label={t('regroup.title')}>
      <h3 className={styles.previewTitle}>{t('regroup.title')}</h3>
      {error ? <Notice kind="danger">{textOf(error)}</Notice> : null}
      {data === undefined && !error ? <PageSkeleton /> : null}
      {data === undefined ? null : (
        <>
          <Doubts advice={adviceFor(grouping, data.advice)} />
          <Moved library={library} preview={data} />
        </>
      )}
    </Stack>
  )
}

interface MovedProps {
  readonly library: LibraryDto
  readonly preview: ScanPreview
}

const Moved = ({ library, preview }: MovedProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const { series, seriesCount, truncated, changes } = preview
  // Several that come of one series are a series that is parted.
  const sources = Map.groupBy(series, ({ was }) => was ?? '')
  const isParted = (was: string | null): boolean => was !== null && (sources.get(was)?.length ?? 0) > 1
  return (
    <>
      <Text role="status">{t('regroup.sum', { count: seriesCount, before: library.seriesCount })}</Text>
      {changes === null ? null : (
        <Text>{changes.booksMoved === 0 ? t('regroup.stays') : t('regroup.moved', { count: changes.booksMoved })}</Text>
      )}
      {truncated ? <Notice kind="info">{t('preview.truncated')}</Notice> : null}
      {changes === null ? null : (
        <>
          <Named
            label={t('regroup.gone')}
            count={changes.seriesEmptied}
            names={changes.emptied.map(({ id, title, bookCount }) => ({ key: id, name: title, bookCount }))}
          />
          <Named
            label={t('regroup.came')}
            count={changes.seriesAdded}
            names={series.flatMap(({ seriesId, name, path, bookCount }) =>
              seriesId === null ? [{ key: `${path}/${name}`, name, bookCount }] : [],
            )}
          />
        </>
      )}
      <h4 className={styles.previewTitle}>{t('regroup.series')}</h4>
      <Stack as="ul" className={styles.series} aria-label={t('regroup.series')} tabIndex={0}>
        {series.map(({ seriesId, name, path, bookCount, was }) => (
          <Row as="li" key={`${path}/${name}`} gap={3} align="stretch" justify="between">
            <span dir="auto">{name}</span>
            <span className={styles.count}>
              {t('preview.bookCount', { count: bookCount })}
              {isParted(was) ? ` · ${t('regroup.parted')}` : seriesId === null ? ` · ${t('regroup.new')}` : ''}
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

interface NamedProps {
  readonly label: string
  /** How many there are, named here or not. */
  readonly count: number
  readonly names: readonly { readonly key: string; readonly name: string; readonly bookCount: number }[]
}

const Named = ({ label, count, names }: NamedProps): ReactNode => {
  const { t } = useTranslation('libraries')
  if (count === 0) return null
  return (
    <>
      <h4 className={styles.previewTitle}>
        {label} ({count})
      </h4>
      <Stack as="ul" className={styles.series} aria-label={label} tabIndex={0}>
        {names.map(({ key, name, bookCount }) => (
          <Row as="li" key={key} gap={3} align="stretch" justify="between">
            <span dir="auto">{name}</span>
            <span className={styles.count}>{t('preview.bookCount', { count: bookCount })}</span>
          </Row>
        ))}
      </Stack>
    </>
  )
}
