import { readPreferences, savePreference } from '@carrel/api'
import { ensure, useChange } from '../api/queries.ts'
import { isLook, type ColourScheme, wear } from '../ui/theme/look.ts'

const lookKey = 'web.look'

/** It applies the look this person chose, here or on another device. */
export const wearOwnLook = async (): Promise<void> => {
  const { preferences } = await ensure(readPreferences, {})
  const look = preferences[lookKey]
  if (isLook(look)) wear(look)
}

/** It applies the look at once and stores it for all devices. */
export const useWear = (): ((look: ColourScheme) => void) => {
  const save = useChange(savePreference, { invalidates: [readPreferences] })
  return (look) => {
    wear(look)
    save.mutate({ params: { key: lookKey }, body: { value: look } })
  }
}
