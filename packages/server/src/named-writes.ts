import { storedPreferences } from './features/preferences/preferences.ts'
import { savedProgress } from './features/reading/progress/progress.ts'
import { countedReading } from './features/reading/reading-sessions/count-later.ts'

/** The table of contents of what the thread that writes can run by itself (decision 060). It is loaded there. */
export const namedWrites = [savedProgress, countedReading, storedPreferences] as const
