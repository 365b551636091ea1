import type { Language } from '@carrel/api'

const names = new Map<Language, Intl.DisplayNames>()

const namesIn = (language: Language): Intl.DisplayNames => {
  const displayNames = names.get(language) ?? new Intl.DisplayNames(language, { type: 'language', fallback: 'none' })
  names.set(language, displayNames)
  return displayNames
}

/** It names a language in the one of the reader; a text that is no language tag stays as it is written. */
export const languageName = (tag: string, inLanguage: Language): string => {
  try {
    return namesIn(inLanguage).of(tag.trim().replaceAll('_', '-')) ?? tag
  } catch {
    return tag
  }
}
