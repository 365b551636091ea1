import { useTranslation } from 'react-i18next'

/** A point in time, as people of this language write it. */
export const useMoment = (): ((at: string) => string) => {
  const { i18n } = useTranslation()
  const format = new Intl.DateTimeFormat(i18n.resolvedLanguage, { dateStyle: 'medium', timeStyle: 'short' })
  return (at) => format.format(new Date(at))
}
