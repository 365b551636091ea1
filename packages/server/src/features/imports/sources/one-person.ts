import type { UserRecord } from '../records.ts'

/** Nothing is hidden from them. */
export const seesEverything = {
  libraries: 'all',
  ageCeiling: null,
  includeUnrated: true,
  allowLabels: [],
  denyLabels: [],
} as const

/** A backup of one person, who has no name in it. */
export const onePerson: UserRecord = {
  type: 'user',
  id: '1',
  name: null,
  email: null,
  role: 'reader',
  isActive: true,
  mayDownload: true,
  ...seesEverything,
}
