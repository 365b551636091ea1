const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** It names a language; a text that is no language tag stays as it is written. */
export const languageName = (tag: string): string => {
  try {
    return names.of(tag.trim().replaceAll('_', '-')) ?? tag
  } catch {
    return tag
  }
}
