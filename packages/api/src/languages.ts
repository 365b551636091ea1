/**
 * The languages that people are spoken to in, each in its own words. A language is named here once all of its strings are there:
 * `packages/web/test/strings.unit.test.ts` holds it, and `docs/translating.md` says how one is added.
 */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
  'zh-Hans': '简体中文',
  ko: '한국어',
  ar: 'العربية',
} as const

export type Language = keyof typeof languages

export const isLanguage = (word: string): word is Language => Object.hasOwn(languages, word)

const everyLanguage = Object.keys(languages).filter(isLanguage)

/**
 * The first of these tags that we have a language for. Countries do not matter, the script does: `pt` and `pt-PT` are read in
 * Brazilian Portuguese, `zh` and `zh-SG` in simplified characters, and `zh-TW`, which is written in others, is not.
 */
export const languageFor = (tags: readonly string[]): Language | undefined => {
  for (const tag of tags) {
    const wanted = writtenIn(tag)
    const found = wanted === undefined ? undefined : everyLanguage.find((each) => writtenIn(each) === wanted)
    if (found !== undefined) return found
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
