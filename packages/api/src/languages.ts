/**
 * The languages that people are spoken to in. A language is named here once all of its strings are there:
 * `packages/web/test/strings.unit.test.ts` holds it, and `docs/translating.md` says how one is added.
 */
export const languages = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh-Hans', 'ko', 'ar'] as const

export type Language = (typeof languages)[number]

export const isLanguage = (word: string): word is Language => languages.some((each) => each === word)

/**
 * The first of these tags that we have a language for. Countries do not matter, the script does: `pt` and `pt-PT` are read in
 * Brazilian Portuguese, `zh` and `zh-SG` in simplified characters, and `zh-TW`, which is written in others, is not.
 */
export const languageFor = (tags: readonly string[]): Language | undefined => {
  for (const tag of tags) {
    const spelling = writtenIn(tag)
    const language = spelling === undefined ? undefined : languages.find((each) => writtenIn(each) === spelling)
    if (language !== undefined) return language
  }
  return undefined
}

/** `zh-Hans`, `pt-Latn`: language and script. Nothing for what is no tag. */
const writtenIn = (tag: string): string | undefined => {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script ?? ''}`
  } catch {
    return undefined
  }
}
