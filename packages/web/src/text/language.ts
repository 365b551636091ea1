import { isLanguage, type Language, languageFor, languages } from '@carrel/api'
import i18next, { type BackendModule, type ReadCallback } from 'i18next'
import { initReactI18next } from 'react-i18next'

interface LanguageStrings {
  readonly common: object
  readonly lists: object
  readonly home: object
  readonly others: Readonly<Record<string, () => Promise<unknown>>>
}

/** A language is one file, with the strings that nearly every page begins with and the places of all others: only this one is fetched. */
const files = import.meta.glob<LanguageStrings>('./languages/*.ts')

/** `common` are the strings of ui/, `lists`, `metadata` and `palette` those of these folders, `ebook` those of a part of the reader, every other namespace is a feature. Each is fetched when something needs it. */
const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language: string, namespace: string, done: ReadCallback) => void load(language, namespace, done),
}

const folders: Readonly<Record<string, string>> = {
  metadata: '../../metadata',
  palette: '../../frame/palette',
  ebook: '../../features/reader/ebook',
}

const load = async (language: string, namespace: string, done: ReadCallback): Promise<void> => {
  try {
    const strings = await files[`./languages/${language}.ts`]?.()
    const folder = folders[namespace] ?? `../../features/${namespace}`
    const others = async () => (await strings?.others[`${folder}/strings/${language}.json`]?.()) as object
    const isAtHand = namespace === 'common' || namespace === 'lists' || namespace === 'home'
    done(null, isAtHand ? strings?.[namespace] : await others())
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)), null)
  }
}

const chosenHere = 'carrel.language'

/** On this browser: what was chosen before anybody signed in, else what the browser asks every site for. */
const ofBrowser = (): Language => {
  let chosen: string | null = null
  try {
    chosen = localStorage.getItem(chosenHere)
  } catch {
    // Storage may be forbidden: then it is the language of the browser.
  }
  return chosen !== null && isLanguage(chosen) ? chosen : (languageFor(navigator.languages) ?? 'en')
}

export const startLanguage = async (): Promise<void> => {
  i18next.on('languageChanged', (language) => {
    document.documentElement.setAttribute('lang', language)
    document.documentElement.setAttribute('dir', i18next.dir(language))
  })
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: ofBrowser(),
      // A language is complete, so that nobody loads a second one for what is missing.
      fallbackLng: false,
      load: 'currentOnly',
      supportedLngs: [...languages],
      ns: ['common'],
      defaultNS: 'common',
      interpolation: {
        // Nothing here becomes markup. A title from elsewhere may be written in the other direction: it keeps that to itself.
        escape: (text: string) => (i18next.dir() === 'rtl' ? `\u2068${text}\u2069` : text),
      },
      react: { useSuspense: true },
    })
}

/** `null`: as the browser would have it. */
export const speak = async (tag: string | null): Promise<void> => {
  const language = (tag === null ? undefined : languageFor([tag])) ?? ofBrowser()
  if (i18next.resolvedLanguage !== language) await i18next.changeLanguage(language)
}

/** Whoever is not signed in chooses for this browser; an account with a language of its own is asked first. */
export const speakHere = async (language: Language): Promise<void> => {
  try {
    localStorage.setItem(chosenHere, language)
  } catch {
    // Storage may be forbidden: then it is spoken until the page is loaded anew.
  }
  await speak(language)
}

/** A route calls it, so that the strings of a page load together with its code, not after it. */
export const loadStrings = async (namespaces: readonly string[]): Promise<void> => {
  await i18next.loadNamespaces([...namespaces])
}
