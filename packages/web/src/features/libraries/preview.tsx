import { type groupingPolicies, previewNewLibrary, type ScanPreview } from '@carrel/api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { query } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Columns, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { PageSkeleton } from '../../ui/state/skeleton.tsx'
import { EmptyState, Notice } from '../../ui/state/state.tsx'
import styles from './new-library.module.css'

interface PreviewProps {
  readonly roots: readonly string[]
  readonly policy: (typeof groupingPolicies)[number]
}

/** The preview shows how a scan would group these folders. The server only reads; nothing is written. */
export const Preview = ({ roots, policy }: PreviewProps): ReactNode => {
  const { t } = useTranslation('libraries')
  return (
    <div className={styles.preview}>
      <Section title={t('preview.title')} text={t('preview.text')}>
        {roots.length === 0 ? (
          <EmptyState icon="eye" title={t('preview.none')} text={t('preview.noneText')} />
        ) : (
          <Looked roots={roots} policy={policy} />
        )}
      </Section>
    </div>
  )
}

const Looked = ({ roots, policy }: PreviewProps): ReactNode => {
  const textOf = useProblemText()
  const { data, error } = useQuery({
    ...query(previewNewLibrary, { body: { roots: [...roots], grouping: { policy } } }),
    // Folders change without telling us.
    staleTime: 0,
  })
  if (error) return <Notice kind="danger">{textOf(error)}</Notice>
  return data === undefined ? <PageSkeleton /> : <Series preview={data.body} />
}

const Series = ({ preview }: { readonly preview: ScanPreview }): ReactNode => {
  const { t } = useTranslation('libraries')
  const { totalFiles, unreadFiles, series, truncated } = preview
  if (totalFiles === 0) return <EmptyState icon="search" title={t('preview.noBooks')} text={t('preview.noBooksText')} />
  return (
    <>
      <p className={styles.sum} role="status">
        {t('preview.books', { count: totalFiles })} → {t('preview.series', { count: series.length })}
      </p>
      {truncated ? <Notice kind="info">{t('preview.truncated')}</Notice> : null}
      {unreadFiles > 0 ? <Notice kind="info">{t('preview.unread')}</Notice> : null}
      <Stack as="ul" gap={1} className={styles.previewed}>
        {series.map(({ name, path, bookCount, sampleBooks }) => (
          <Columns as="li" key={`${path}/${name}`} gap={3} rowGap={0}>
            <span className={styles.seriesName}>{name}</span>
            <span className={styles.count}>{t('preview.bookCount', { count: bookCount })}</span>
            <Text as="span" quiet size={13} className={styles.samples}>
              {sampleBooks.join(' · ')}
            </Text>
          </Columns>
        ))}
      </Stack>
    </>
  )
}
