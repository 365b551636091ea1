import { use, useSyncExternalStore } from 'react'
import { numberFormat, pluralRules } from './formats.ts'

// The build puts this in the place of i18next and react-i18next (build/translations.ts), of which the app uses a
// tenth: a page begins with a sixtieth of what they weigh. Their types are what the app is written against, and
// translations.unit.test.ts says every string with both.

interface Strings {
  readonly [key: string]: string | Strings
}

type Values = Readonly<Record<string, unknown>>
type Translate = (key: string, values?: Values) => string

interface Backend {
  readonly read: (language: string, namespace: string, done: (error: unknown, strings: unknown) => void) => void
}

interface Options {
  readonly lng?: string
  readonly ns?: readonly string[]
  readonly defaultNS?: string
  readonly interpolation?: { readonly escapeValue?: boolean; readonly escape?: (text: string) => string }
}

let backend: Backend | undefined
let options: Options = {}
let language = 'en'
let version = 0
const listeners = new Set<() => void>()
const languageListeners = new Set<(language: string) => void>()
const translators = new Map<string, Translate>()

interface Loading {
  readonly done: Promise<void>
  strings?: Strings
  hasFailed?: true
}
const loaded = new Map<string, Loading>()

const keyOf = (of: string, namespace: string): string => `${of} ${namespace}`

const load = (of: string, namespace: string): Loading => {
  const key = keyOf(of, namespace)
  const cached = loaded.get(key)
  if (cached) return cached
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const loading: Loading = { done: promise }
  loaded.set(key, loading)
  backend?.read(of, namespace, (error, strings) => {
    if (error === null || error === undefined) {
      loading.strings = (strings ?? {}) as Strings
      resolve()
    } else {
      loading.hasFailed = true
      reject(error instanceof Error ? error : new Error('The strings could not be loaded', { cause: error }))
    }
  })
  return loading
}

/** What could not be loaded is loaded again by those who ask for it, but not by a component that is rendered again. */
const loadAnew = (of: string, namespace: string): Promise<void> => {
  const key = keyOf(of, namespace)
  if (loaded.get(key)?.hasFailed) loaded.delete(key)
  return load(of, namespace).done
}

const stringAt = (strings: Strings | undefined, path: readonly string[]): string | undefined => {
  let at: string | Strings | undefined = strings
  for (const step of path) at = typeof at === 'object' ? at[step] : undefined
  return typeof at === 'string' ? at : undefined
}

/** The forms of a plural that fit, the best first; nothing at all may have words of its own. */
const endingsFor = (of: string, count: unknown): readonly string[] => {
  if (typeof count !== 'number') return ['']
  const form = `_${pluralRules(of).select(count)}`
  return [...(count === 0 ? ['_zero'] : []), form, '_other', '']
}

const filled = (text: string, of: string, values: Values): string => {
  const { escapeValue = true, escape } = options.interpolation ?? {}
  return text.replaceAll(/\{\{\s*(\w+)\s*(?:,\s*(\w+)\s*)?\}\}/g, (_, name: string, format?: string) => {
    const value = values[name]
    if (value === undefined || value === null) return ''
    // oxlint-disable-next-line typescript/no-base-to-string -- What is filled in is a text or a number.
    const words = format === 'number' ? numberFormat(of).format(Number(value)) : String(value)
    return escapeValue && escape ? escape(words) : words
  })
}

const translate = (of: string, namespaces: readonly string[], key: string, values: Values): string => {
  const at = key.indexOf(':')
  const [within, name] = at < 0 ? [namespaces, key] : [[key.slice(0, at)], key.slice(at + 1)]
  for (const namespace of within) {
    const { strings } = loaded.get(keyOf(of, namespace)) ?? {}
    for (const ending of endingsFor(of, values.count)) {
      const text = stringAt(strings, (name + ending).split('.'))
      if (text !== undefined) return filled(text, of, values)
    }
  }
  return name
}

/** The same function as long as the language is the same. */
const translatorFor = (namespaces: readonly string[]): Translate => {
  const of = language
  const key = keyOf(of, namespaces.join())
  const cached = translators.get(key)
  if (cached) return cached
  const made: Translate = (name, values = {}) => translate(of, namespaces, name, values)
  translators.set(key, made)
  return made
}

const rightToLeft = /^(?:ar|dv|fa|he|ku|ps|ug|ur|yi)\b/

const tell = (): void => {
  version += 1
  for (const listener of languageListeners) listener(language)
  for (const listener of listeners) listener()
}

const instance = {
  get resolvedLanguage(): string {
    return language
  },
  dir: (of: string = language): 'ltr' | 'rtl' => (rightToLeft.test(of) ? 'rtl' : 'ltr'),
  use: (plugin: object) => {
    if ('read' in plugin) backend = plugin as Backend
    return instance
  },
  on: (_: 'languageChanged', listener: (language: string) => void): void => {
    languageListeners.add(listener)
  },
  init: async (chosen: Options): Promise<void> => {
    options = chosen
    await instance.changeLanguage(chosen.lng ?? language, chosen.ns)
  },
  /** Whatever has been loaded in another language is there before this one is spoken. */
  changeLanguage: async (next: string, more: readonly string[] = []): Promise<void> => {
    const namespaces = new Set([...more, ...[...loaded.keys()].map((key) => key.split(' ')[1] ?? '')])
    await Promise.all([...namespaces].map((namespace) => loadAnew(next, namespace)))
    language = next
    tell()
  },
  loadNamespaces: async (namespaces: readonly string[]): Promise<void> => {
    await Promise.all(namespaces.map((namespace) => loadAnew(language, namespace)))
  },
  t: (key: string, values?: Values): string => translatorFor([options.defaultNS ?? 'common'])(key, values),
}

/** @public The build gives it to whoever imports i18next. */
// oxlint-disable-next-line import/no-default-export -- i18next has one.
export default instance

/** @public There is nothing to initialize. */
export const initReactI18next = {}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @public The build gives it to whoever imports react-i18next. */
export const useTranslation = (namespaces?: string | readonly string[]) => {
  useSyncExternalStore(subscribe, () => version)
  const all = typeof namespaces === 'string' ? [namespaces] : (namespaces ?? [options.defaultNS ?? 'common'])
  for (const namespace of all) {
    const loading = load(language, namespace)
    if (loading.strings === undefined) use(loading.done)
  }
  return { t: translatorFor(all), i18n: instance }
}
