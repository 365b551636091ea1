import i18next, { type BackendModule, type ReadCallback } from 'i18next'
import { initReactI18next } from 'react-i18next'

export const languages = { en: 'English', de: 'Deutsch' } as const
type Language = keyof typeof languages

const files = import.meta.glob<object>(
  ['../{ui,lists,metadata}/strings/*.json', '../frame/palette/strings/*.json', '../features/**/strings/*.json'],
  {
    import: 'default',
  },
)

/** `common` are the strings of ui/, `lists`, `metadata` and `palette` those of these folders, `ebook` those of a part of the reader, every other namespace is a feature. Each is fetched when something needs it. */
const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language: string, namespace: string, done: ReadCallback) => void load(language, namespace, done),
}

const folders: Readonly<Record<string, string>> = {
  common: '../ui',
  lists: '../lists',
  metadata: '../metadata',
  palette: '../frame/palette',
  ebook: '../features/reader/ebook',
}

const load = async (language: string, namespace: string, done: ReadCallback): Promise<void> => {
  const folder = folders[namespace] ?? `../features/${namespace}`
  try {
    done(null, await files[`${folder}/strings/${language}.json`]?.())
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)), null)
  }
}

const isLanguage = (word: string | undefined): word is Language => word !== undefined && word in languages

const ofBrowser = (): Language => navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'

export const startLanguage = async (): Promise<void> => {
  i18next.on('languageChanged', (language) => document.documentElement.setAttribute('lang', language))
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: ofBrowser(),
      fallbackLng: 'en',
      load: 'languageOnly',
      supportedLngs: Object.keys(languages),
      ns: ['common'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
}

/** `null`: as the browser would have it. */
export const speak = async (tag: string | null): Promise<void> => {
  const language = tag?.slice(0, 2)
  const chosen = isLanguage(language) ? language : ofBrowser()
  if (i18next.resolvedLanguage !== chosen) await i18next.changeLanguage(chosen)
}

/** A route calls it, so that the strings of a page load together with its code, not after it. */
export const loadStrings = async (namespaces: readonly string[]): Promise<void> => {
  await i18next.loadNamespaces([...namespaces])
}
