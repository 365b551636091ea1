import { useTranslation } from 'react-i18next'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Days and sizes, as people of this language write them. */
export const useFigures = () => {
  const { i18n } = useTranslation()
  const days = new Intl.DateTimeFormat(i18n.resolvedLanguage, { dateStyle: 'medium' })
  return {
    day: (at: string): string => days.format(new Date(at)),
    size: (bytes: number): string => {
      const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
      return new Intl.NumberFormat(i18n.resolvedLanguage, {
        style: 'unit',
        unit: units[step] ?? 'byte',
        maximumSignificantDigits: 4,
      }).format(bytes / 1000 ** step)
    },
  }
}
