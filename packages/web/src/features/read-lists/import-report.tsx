import type { MatchReport, ImportedBook } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Stack } from '../../ui/layout/layout.tsx'
import styles from './read-lists.module.css'
import { importedBookText } from './imported-book-text.ts'

/** The report shows at most this many missing entries: the list itself shows them all. */
const shownAtMost = 200

/** The report says which entries of an imported list exist here, which do not, and which may be several books. */
export const ImportReport = ({ report }: { readonly report: MatchReport }): ReactNode => {
  const { t } = useTranslation('read-lists')
  return (
    <Stack gap={3} className={styles.report}>
      <p>{t('found', { count: report.matched })}</p>
      <Entries
        title={t('notFound', { count: report.unmatched.length })}
        text={t('notFoundText')}
        entries={report.unmatched}
      />
      <Entries
        title={t('unclear', { count: report.ambiguous.length })}
        text={t('unclearText')}
        entries={report.ambiguous}
      />
    </Stack>
  )
}

interface EntriesProps {
  readonly title: string
  readonly text: string
  readonly entries: readonly ImportedBook[]
}

const Entries = ({ title, text, entries }: EntriesProps): ReactNode =>
  entries.length === 0 ? null : (
    <details>
      <summary>{title}</summary>
      <p className={styles.hint}>{text}</p>
      <ol className={styles.entries}>
        {entries.slice(0, shownAtMost).map((entry) => (
          <li key={entry.position} value={entry.position} dir="auto">
            {importedBookText(entry)}
          </li>
        ))}
      </ol>
    </details>
  )
