import type { Grouping, GroupingAdvice, ScanPreview } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../../text/problem-text.ts'
import { Columns, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { PageSkeleton } from '../../ui/state/skeleton.tsx'
import { EmptyState, Notice } from '../../ui/state/state.tsx'
import { Doubts } from './grouping/doubts.tsx'
import { isComplete } from './grouping/grouping.ts'
import { isAboutField } from './grouping/problem.ts'
import styles from './new-library.module.css'

interface PreviewProps {
  readonly roots: readonly string[]
  readonly grouping: Grouping
  readonly preview: { readonly data: ScanPreview | undefined; readonly error: unknown }
  readonly advice: GroupingAdvice | undefined
}

/** The preview shows how a scan would group these folders. */
export const Preview = (props: PreviewProps): ReactNode => {
  const { t } = useTranslation('libraries')
  return (
    <div className={styles.preview}>
      <Section title={t('preview.title')} text={t('preview.text')}>
        {props.roots.length === 0 ? (
          <EmptyState icon="eye" title={t('preview.none')} text={t('preview.noneText')} />
        ) : (
          <PreviewContent {...props} />
        )}
      </Section>
    </div>
  )
}

const PreviewContent = ({ grouping, preview: { data, error }, advice }: PreviewProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const textOf = useProblemText()
  if (!isComplete(grouping) || isAboutField(error))
    return <EmptyState icon="edit" title={t('preview.notYet')} text={t('preview.notYetText')} />
  if (error) return <Notice kind="danger">{textOf(error)}</Notice>
  return data === undefined ? <PageSkeleton /> : <Series preview={data} advice={advice} />
}

interface SeriesProps {
  readonly preview: ScanPreview
  readonly advice: GroupingAdvice | undefined
}

const Series = ({ preview, advice }: SeriesProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const { totalFiles, bookCount, unreadFiles, seriesCount, series, truncated } = preview
  // A storage that has not answered in time may well have books.
  if (totalFiles === 0 && !truncated)
    return <EmptyState icon="search" title={t('preview.noBooks')} text={t('preview.noBooksText')} />
  return (
    <>
      <p className={styles.sum} role="status">
        {t('preview.books', { count: bookCount })} → {t('preview.series', { count: seriesCount })}
      </p>
      <Doubts advice={advice} />
      {truncated ? <Notice kind="info">{t('preview.truncated')}</Notice> : null}
      {unreadFiles > 0 ? <Notice kind="info">{t('preview.unread')}</Notice> : null}
      <Stack as="ul" gap={1} className={styles.previewed} aria-label={t('regroup.series')} tabIndex={0}>
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
