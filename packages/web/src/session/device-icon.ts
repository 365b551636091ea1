import type { IconName } from '../ui/icon.tsx'

/** What is held in a hand looks otherwise than what stands on a table; of what says nothing nobody knows. */
export const deviceIcon = (userAgent: string | null): IconName =>
  userAgent !== null && /Mozilla/.test(userAgent) && !/iPad|iPhone|Android|Mobile/.test(userAgent) ? 'screen' : 'device'
