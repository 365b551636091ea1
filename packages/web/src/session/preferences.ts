import { readPreferences, savePreference } from '@carrel/api'
import { ensure, useChange } from '../api/queries.ts'
import { isColourScheme, type ColourScheme, setColourScheme } from '../ui/theme/colour-scheme.ts'

const colourSchemeKey = 'web.look'

/** It applies the colour scheme this person chose, here or on another device. */
export const applyOwnColourScheme = async (): Promise<void> => {
  const { preferences } = await ensure(readPreferences, {})
  const colourScheme = preferences[colourSchemeKey]
  if (isColourScheme(colourScheme)) setColourScheme(colourScheme)
}

/** It applies the colour scheme at once and stores it for all devices. */
export const useColourSchemeChange = (): ((colourScheme: ColourScheme) => void) => {
  const save = useChange(savePreference, { invalidates: [readPreferences] })
  return (colourScheme) => {
    setColourScheme(colourScheme)
    save.mutate({ params: { key: colourSchemeKey }, body: { value: colourScheme } })
  }
}
