import type { Language } from '@carrel/api'
import english from './strings/en.json' with { type: 'json' }

/** What other applications show of ours is said in the language of their user; our own application has strings of its own. */
export interface Texts {
  readonly language: Language
  readonly say: (key: TextKey, values?: Readonly<Record<string, string | number>>) => string
  /** It puts a number of things into words: `1 book`, `2 books`. */
  readonly count: (what: CountedKey, count: number) => string
  readonly size: (bytes: number) => string
}

interface Strings {
  readonly [key: string]: string | Strings
}

type KeysOf<Said, Above extends string = ''> = {
  [Key in keyof Said & string]: Said[Key] extends string ? `${Above}${Key}` : KeysOf<Said[Key], `${Above}${Key}.`>
}[keyof Said & string]
type CountedIn<Key> = Key extends `count.${infer What}_other` ? What : never

type TextKey = Exclude<KeysOf<typeof english>, `count.${string}`>
type CountedKey = CountedIn<KeysOf<typeof english>>

const files: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly default: Strings }>>> = {
  de: () => import('./strings/de.json', { with: { type: 'json' } }),
  fr: () => import('./strings/fr.json', { with: { type: 'json' } }),
  es: () => import('./strings/es.json', { with: { type: 'json' } }),
  'pt-BR': () => import('./strings/pt-BR.json', { with: { type: 'json' } }),
  ja: () => import('./strings/ja.json', { with: { type: 'json' } }),
  'zh-Hans': () => import('./strings/zh-Hans.json', { with: { type: 'json' } }),
  ko: () => import('./strings/ko.json', { with: { type: 'json' } }),
  ar: () => import('./strings/ar.json', { with: { type: 'json' } }),
}

/** A language is read when somebody first needs it, and kept: there are nine, and they are small. */
const cache = new Map<Language, Texts>()

export const textsIn = (language: Language): Texts | Promise<Texts> => {
  const cached = cache.get(language)
  if (cached) return cached
  if (language === 'en') return keep(language, english)
  return files[language]().then(({ default: strings }) => keep(language, strings))
}

const keep = (language: Language, strings: Strings): Texts => {
  const texts = textsOf(language, strings)
  cache.set(language, texts)
  return texts
}

const textsOf = (language: Language, strings: Strings): Texts => {
  const entries = new Map(entriesOf(strings))
  const inEnglish = language === 'en' ? entries : new Map(entriesOf(english))
  const plural = new Intl.PluralRules(language)
  const number = new Intl.NumberFormat(language)
  const megabytes = unitIn(language, 'megabyte', 1)
  const kilobytes = unitIn(language, 'kilobyte', 0)
  return {
    language,
    say: (key, values = {}) => filled(entries.get(key) ?? inEnglish.get(key) ?? key, values),
    count: (what, count) => {
      const text = entries.get(`count.${what}_${plural.select(count)}`) ?? entries.get(`count.${what}_other`)
      return filled(text ?? inEnglish.get(`count.${what}_other`) ?? '', { count: number.format(count) })
    },
    size: (bytes) =>
      bytes >= 1_000_000
        ? megabytes.format(bytes / 1_000_000)
        : kilobytes.format(Math.max(1, Math.round(bytes / 1000))),
  }
}

const entriesOf = (strings: Strings, above = ''): [string, string][] =>
  Object.entries(strings).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[above + key, value]] : entriesOf(value, `${above}${key}.`),
  )

const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))

const unitIn = (language: Language, unit: 'megabyte' | 'kilobyte', digits: number): Intl.NumberFormat =>
  new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
