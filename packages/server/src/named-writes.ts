import { storedPreferences } from './features/preferences/preferences.ts'
import { savedBookRating, savedSeriesRating } from './features/ratings/ratings.ts'
import { savedReaderSettings } from './features/reader-settings/reader-settings.ts'
import { markedBook, savedProgress } from './features/reading/progress/progress.ts'
import { savedProgression } from './features/reading/progress/progression.ts'
import { countedReading } from './features/reading/reading-sessions/count-later.ts'
import { recordedSessions } from './features/reading/record-sessions.ts'
import { savedStatus } from './features/series-status/series-status.ts'
import { droppedEntry, wantedEntry } from './features/want-to-read/want-to-read.ts'

/** The table of contents of what the thread that writes can run by itself (decision 060). It is loaded there. */
export const namedWrites = [
  savedProgress,
  savedProgression,
  markedBook,
  recordedSessions,
  countedReading,
  storedPreferences,
  savedReaderSettings,
  savedBookRating,
  savedSeriesRating,
  savedStatus,
  wantedEntry,
  droppedEntry,
] as const
