import { newId } from './new-id.ts'

const storageKey = 'carrel.device'
let ofThisVisit: string | undefined

/** The same for ever in this browser: what tells this device from one's others. It opens nothing. */
export const deviceId = (): string => {
  try {
    const storedId = localStorage.getItem(storageKey)
    if (storedId !== null && /^[\w-]{8,64}$/.test(storedId)) return storedId
    const made = `web-${newId()}`
    localStorage.setItem(storageKey, made)
    return made
  } catch {
    // Storage may be forbidden: then every visit is another device.
    return (ofThisVisit ??= `web-${newId()}`)
  }
}

const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
] as const

const systems = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const

const firstOf = (names: readonly (readonly [RegExp, string])[], agent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(agent))?.[1]

/** People recognise a device by this name: `Firefox, Android`. */
export const deviceName = (agent: string = navigator.userAgent): string =>
  [firstOf(browsers, agent) ?? 'Browser', firstOf(systems, agent)].filter((name) => name !== undefined).join(', ')
