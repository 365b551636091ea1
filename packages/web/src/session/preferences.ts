import { readPreferences, savePreference } from '@carrel/api'
import { ensure, useChange } from '../api/queries.ts'
import { type Accent, isAccent, setAccent } from '../ui/theme/accent.ts'
import { isColourScheme, type ColourScheme, setColourScheme } from '../ui/theme/colour-scheme.ts'

const colourSchemeKey = 'web.look'
const accentKey = 'web.accent'

/** It applies the colour scheme and the accent this person chose, here or on another device. */
export const applyOwnColourScheme = async (): Promise<void> => {
  const { preferences } = await ensure(readPreferences, {})
  const colourScheme = preferences[colourSchemeKey]
  if (isColourScheme(colourScheme)) setColourScheme(colourScheme)
  const accent = preferences[accentKey]
  if (isAccent(accent)) setAccent(accent)
}

/** It applies the colour scheme at once and stores it for all devices. */
export const useColourSchemeChange = (): ((colourScheme: ColourScheme) => void) => {
  const save = useChange(savePreference, { invalidates: [readPreferences] })
  return (colourScheme) => {
    setColourScheme(colourScheme)
    save.mutate({ params: { key: colourSchemeKey }, body: { value: colourScheme } })
  }
}

/** It applies the accent at once and stores it for all devices. */
export const useAccentChange = (): ((accent: Accent) => void) => {
  const save = useChange(savePreference, { invalidates: [readPreferences] })
  return (accent) => {
    setAccent(accent)
    save.mutate({ params: { key: accentKey }, body: { value: accent } })
  }
}
