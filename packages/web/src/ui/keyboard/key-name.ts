import { useTranslation } from 'react-i18next'

/** What stands on these keys is the same everywhere. */
const arrows: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' }

const named = {
  Space: 'space',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'home',
  End: 'end',
  Escape: 'escape',
  Backspace: 'backspace',
} as const

const isNamed = (key: string): key is keyof typeof named => key in named

/** It says what stands on a key, given its name in `KeyboardEvent.key`. */
export const useKeyName = (): ((key: string) => string) => {
  const { t } = useTranslation()
  return (key) => (isNamed(key) ? t(`keyName.${named[key]}`) : (arrows[key] ?? key))
}
