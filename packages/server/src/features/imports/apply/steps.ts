import type { AnyStep } from './step.ts'
import { onDeckRemovals, settingsOfPlugins } from './steps/asides.ts'
import { covers } from './steps/covers.ts'
import { categories, collectionLists, readListLists } from './steps/lists.ts'
import { annotations, bookmarks, ratings, wants } from './steps/opinions.ts'
import { labels, users } from './steps/people.ts'
import { presets } from './steps/presets.ts'
import { completions, progress, sessions } from './steps/reading.ts'
import { wordsOfBooks, wordsOfSeries } from './steps/words.ts'

/** In this order they are taken, and in the reverse they are taken back. A step that was released keeps its name. */
export const steps: readonly AnyStep[] = [
  labels,
  users,
  wordsOfSeries,
  wordsOfBooks,
  ratings,
  wants,
  bookmarks,
  annotations,
  sessions,
  completions,
  progress,
  collectionLists,
  readListLists,
  categories,
  presets,
  onDeckRemovals,
  settingsOfPlugins,
  covers,
]
