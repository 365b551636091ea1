import type { ScanStatus } from '@carrel/api'
import { useTranslation } from 'react-i18next'

/** What came of a scan, in words. */
export const useScanText = () => {
  const { t, i18n } = useTranslation('scans')
  const number = (value: number): string => new Intl.NumberFormat(i18n.resolvedLanguage).format(value)
  return {
    outcome: ({ status }: ScanStatus): string => t(`outcome.${status}`),
    kind: ({ mode }: ScanStatus): string => t(`mode.${mode}`),
    /** Only what there is to say; nothing has changed is one of these things. */
    figures: (scan: ScanStatus): string => {
      const counts = [
        ['added', scan.booksAdded],
        ['updated', scan.booksUpdated],
        ['moved', scan.booksMoved],
        ['restored', scan.booksRestored],
        ['missing', scan.booksMissing],
        ['errors', scan.errorCount],
      ] as const
      const said = counts
        .filter(([, count]) => count > 0)
        .map(([what, count]) => t(`figure.${what}`, { count, number: number(count) }))
      const seen = t('figure.files', { count: scan.filesTotal, number: number(scan.filesTotal) })
      return [seen, ...(said.length === 0 ? [t('figure.nothing')] : said)].join(' · ')
    },
  }
}
