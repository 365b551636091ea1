import { type ReadingImport, readReadingImport } from '@carrel/api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { query } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Details } from '../../ui/detail/details.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Notice } from '../../ui/state/state.tsx'
import styles from './account.module.css'

const pollMs = 1000

/**
 * The report says what was found of a history, and what was not. No event announces the end of a large import, so the
 * page keeps asking.
 */
export const ImportReport = ({ id }: { readonly id: string }): ReactNode => {
  const { t } = useTranslation('account')
  const textOf = useProblemText()
  const { data, error } = useQuery({
    ...query(readReadingImport, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.body.completedAt === null ? pollMs : false),
  })
  if (data === undefined) return error ? <Notice kind="danger">{textOf(error)}</Notice> : null
  const { completedAt, unmatched } = data.body
  const kind = completedAt !== null && unmatched > 0 ? 'warning' : 'info'
  return (
    <>
      <Notice kind={kind}>{completedAt === null ? t('import.working') : t('import.done')}</Notice>
      <Counts report={data.body} />
      <Missing report={data.body} />
    </>
  )
}

const Counts = ({ report }: { readonly report: ReadingImport }): ReactNode => {
  const { t, i18n } = useTranslation('account')
  const number = (value: number): string => new Intl.NumberFormat(i18n.resolvedLanguage).format(value)
  const { entries, matchedBy, added, known, unmatched } = report
  return (
    <Details
      rows={[
        { label: t('import.entries'), value: number(entries) },
        { label: t('import.added'), value: number(added) },
        { label: t('import.known'), value: number(known) },
        { label: t('import.byHash'), value: number(matchedBy.hash) },
        { label: t('import.byPath'), value: number(matchedBy.path) },
        { label: t('import.byTitle'), value: number(matchedBy.title) },
        { label: t('import.unmatched'), value: number(unmatched) },
      ]}
    />
  )
}

const Missing = ({ report: { examples, unmatched } }: { readonly report: ReadingImport }): ReactNode => {
  const { t } = useTranslation('account')
  if (examples.length === 0) return null
  return (
    <details className={styles.missing} open={examples.length <= 10}>
      <Row as="summary" inline>
        {t('import.notTaken', { count: unmatched })}
      </Row>
      <Stack as="ul" gap={2}>
        {examples.map(({ place, reason, what }) => (
          <li key={place}>
            <span dir="auto">{what === '' ? '–' : what}</span>{' '}
            <Text as="span" quiet size={13}>
              {t('import.place', { place })} · {t(`import.reason.${reason}`)}
            </Text>
          </li>
        ))}
      </Stack>
      {unmatched > examples.length ? (
        <Text quiet size={13}>
          {t('import.more', { count: unmatched - examples.length })}
        </Text>
      ) : null}
    </details>
  )
}
