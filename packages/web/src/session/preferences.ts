import { readPreferences } from '@carrel/api'
import { ensure } from '../api/queries.ts'
import { isAccent, setAccent } from '../ui/theme/accent.ts'
import { isColourScheme, setColourScheme } from '../ui/theme/colour-scheme.ts'

export const colourSchemeKey = 'web.look'
export const accentKey = 'web.accent'

/** It applies the colour scheme and the accent this person chose, here or on another device. */
export const applyOwnColourScheme = async (): Promise<void> => {
  const { preferences } = await ensure(readPreferences, {})
  const colourScheme = preferences[colourSchemeKey]
  if (isColourScheme(colourScheme)) setColourScheme(colourScheme)
  const accent = preferences[accentKey]
  if (isAccent(accent)) setAccent(accent)
}
