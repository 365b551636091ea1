import type { IconName } from '../ui/icon.tsx'

const systems = [
  [/iPad/, 'iPad'],
  [/iPhone/, 'iPhone'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
] as const
const browsers = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

/** `Firefox, Linux`: how this browser is called in the list of sessions. */
export const deviceName = (userAgent = navigator.userAgent): string => {
  const nameIn = (list: readonly (readonly [RegExp, string])[]): string | undefined =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1]
  return [nameIn(browsers), nameIn(systems)].filter((name) => name !== undefined).join(', ') || 'Browser'
}

/** What is held in a hand looks otherwise than what stands on a table; of what says nothing nobody knows. */
export const deviceIcon = (userAgent: string | null): IconName =>
  userAgent !== null && /Mozilla/.test(userAgent) && !/iPad|iPhone|Android|Mobile/.test(userAgent) ? 'screen' : 'device'
