import { readPreferences, savePreference } from '@carrel/api'
import { query, queryClient, useChange } from '../api/queries.ts'
import { useSayFailure } from '../text/say-failure.ts'
import { type Accent, setAccent } from '../ui/theme/accent.ts'
import { type ColourScheme, setColourScheme } from '../ui/theme/colour-scheme.ts'
import { accentKey, colourSchemeKey } from './preferences.ts'

/** It applies what is chosen at once and stores it for all devices. */
const useOwnChange = <Value extends string>(key: string, apply: (value: Value) => void): ((value: Value) => void) => {
  const save = useChange(savePreference, { onError: useSayFailure() })
  return (value) => {
    apply(value)
    // Each page that is entered applies what is known here.
    queryClient.setQueryData(
      query(readPreferences, {}).queryKey,
      (before) => before && { ...before, body: { preferences: { ...before.body.preferences, [key]: value } } },
    )
    save.mutate({ params: { key }, body: { value } })
  }
}

export const useColourSchemeChange = (): ((colourScheme: ColourScheme) => void) =>
  useOwnChange(colourSchemeKey, setColourScheme)

export const useAccentChange = (): ((accent: Accent) => void) => useOwnChange(accentKey, setAccent)
