import { useTranslation } from 'react-i18next'

/** What a language is called in that of the user; a tag that nobody knows stands for itself. */
export const useLanguageName = (): ((tag: string) => string) => {
  const { i18n } = useTranslation()
  return (tag) => {
    try {
      return new Intl.DisplayNames(i18n.resolvedLanguage, { type: 'language' }).of(tag) ?? tag
    } catch {
      return tag
    }
  }
}
