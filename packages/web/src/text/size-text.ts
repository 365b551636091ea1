import { useTranslation } from 'react-i18next'
import { numberFormat } from './formats.ts'

const units = [
  [1e12, 'terabyte'],
  [1e9, 'gigabyte'],
  [1e6, 'megabyte'],
  [1e3, 'kilobyte'],
] as const

/** A number of bytes in the unit that suits it. */
export const useSizeText = (): ((bytes: number) => string) => {
  const { i18n } = useTranslation()
  return (bytes) => {
    const [size, unit] = units.find(([each]) => bytes >= each) ?? [1e3, 'kilobyte']
    const value = bytes / size
    const options = { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 } as const
    return numberFormat(i18n.resolvedLanguage, options).format(value)
  }
}
