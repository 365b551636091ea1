import { readPreferences, savePreference } from '@carrel/api'
import { ensure, useChange } from './api/queries.ts'
import { isLook, type Look, wear } from './ui/look.ts'

const lookKey = 'web.look'

/** Puts on what this person chose, here or on another device. */
export const wearOwnLook = async (): Promise<void> => {
  const { preferences } = await ensure(readPreferences, {})
  const look = preferences[lookKey]
  if (isLook(look)) wear(look)
}

/** Puts it on at once and keeps it for all devices. */
export const useWear = (): ((look: Look) => void) => {
  const save = useChange(savePreference, { invalidates: [readPreferences] })
  return (look) => {
    wear(look)
    save.mutate({ params: { key: lookKey }, body: { value: look } })
  }
}
