import type { Language } from './languages.ts'

/** Each in its own words. Only who chooses one needs them, and the web app starts without. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
  'zh-Hans': '简体中文',
  ko: '한국어',
  ar: 'العربية',
}
