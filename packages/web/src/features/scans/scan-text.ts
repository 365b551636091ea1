import type { ScanStatus } from '@carrel/api'
import { useTranslation } from 'react-i18next'

/** It puts the result of a scan into words. */
export const useScanText = () => {
  const { t, i18n } = useTranslation('scans')
  const number = (value: number): string => new Intl.NumberFormat(i18n.resolvedLanguage).format(value)
  return {
    outcome: ({ status }: ScanStatus): string => t(`outcome.${status}`),
    kind: ({ mode }: ScanStatus): string => t(`mode.${mode}`),
    /** Zeros are left out; when all are zero the text says that nothing has changed. */
    figures: (scan: ScanStatus): string => {
      const counts = [
        ['added', scan.booksAdded],
        ['updated', scan.booksUpdated],
        ['moved', scan.booksMoved],
        ['restored', scan.booksRestored],
        ['missing', scan.booksMissing],
        ['errors', scan.errorCount],
      ] as const
      const figures = counts
        .filter(([, count]) => count > 0)
        .map(([what, count]) => t(`figure.${what}`, { count, number: number(count) }))
      const seen = t('figure.files', { count: scan.filesTotal, number: number(scan.filesTotal) })
      return [seen, ...(figures.length === 0 ? [t('figure.nothing')] : figures)].join(' · ')
    },
  }
}
