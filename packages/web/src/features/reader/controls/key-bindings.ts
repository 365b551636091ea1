import { readPreferences, savePreference } from '@carrel/api'
import { useChange, useLater } from '../../../api/queries.ts'

/** What can be done by a key of one's own, and the key it has by itself. */
const usualKeys = {
  forward: 'j',
  back: 'k',
  first: 'Home',
  last: 'End',
  zoomIn: '+',
  zoomOut: '-',
  zoomReset: '0',
  double: 'd',
  shift: 'x',
  fit: 'v',
  direction: 'r',
  bookmark: 'b',
  pages: 'p',
  settings: 's',
  bars: 'm',
  fullScreen: 'f',
} as const

export type BoundAction = keyof typeof usualKeys
export const boundActions = Object.keys(usualKeys) as BoundAction[]

const preference = 'web.reader.keys'

export interface KeyBindings {
  readonly keyOf: (action: BoundAction) => string
  /** The key does this from now on; what it did before gets the key that this one had. */
  readonly bind: (action: BoundAction, key: string) => void
  readonly isUsual: boolean
  readonly reset: () => void
}

const ownKeysIn = (value: unknown): Partial<Record<BoundAction, string>> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const record = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    boundActions.flatMap((action) => (typeof record[action] === 'string' ? [[action, record[action]]] : [])),
  )
}

/** The keys of this person, on every device. */
export const useKeyBindings = (): KeyBindings => {
  const own = ownKeysIn(useLater(readPreferences, {}).data?.preferences[preference])
  const save = useChange(savePreference, { invalidates: [readPreferences] })
  const keyOf = (action: BoundAction): string => own[action] ?? usualKeys[action]
  const put = (value: Partial<Record<BoundAction, string>>): void =>
    save.mutate({ params: { key: preference }, body: { value } })
  return {
    keyOf,
    bind: (action, key) => {
      const other = boundActions.find((each) => each !== action && keyOf(each) === key)
      put({ ...own, [action]: key, ...(other !== undefined && { [other]: keyOf(action) }) })
    },
    isUsual: Object.keys(own).length === 0,
    reset: () => put({}),
  }
}
