import { useTranslation } from 'react-i18next'
import { languageNames } from './formats.ts'

/** What a language is called in that of the user; a tag that nobody knows stands for itself. */
export const useLanguageName = (): ((tag: string) => string) => {
  const { i18n } = useTranslation()
  return (tag) => {
    try {
      return languageNames(i18n.resolvedLanguage).of(tag) ?? tag
    } catch {
      return tag
    }
  }
}
