import type { ImportPart } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { stagedRows } from '../staging.ts'
import { added, type Counts, type Foreseeing } from './step.ts'
import { steps } from './steps.ts'

/** How much of each kind would come, were all of it taken; only what opening pictures and checking conditions tells is not known before. */
export const foreseen = async (db: ReadDb, importId: string, foreseeing: Foreseeing): Promise<Counts> => {
  let counts: Counts = {}
  for (const step of steps)
    for await (const { records } of stagedRows(db, importId, step.reads))
      // The row holds records of the type that the step reads.
      counts = added(counts, await step.foresee(db, foreseeing, records as never))
  return counts
}

const partOfCount: Readonly<Record<string, ImportPart>> = {
  users: 'users',
  labels: 'users',
  sharingTags: 'users',
  metadataOfSeries: 'metadata',
  metadataOfBooks: 'metadata',
  pluginSettings: 'metadata',
  ratings: 'ratings',
  reviewsAsNotes: 'ratings',
  wants: 'wants',
  bookmarks: 'bookmarks',
  annotations: 'bookmarks',
  marksPlaced: 'bookmarks',
  progress: 'progress',
  onDeckRemovals: 'progress',
  collections: 'lists',
  readLists: 'lists',
  listsAddedTo: 'lists',
  presets: 'lists',
  covers: 'covers',
}

/** What of it would come where these parts are left out. */
export const withoutParts = (counts: Counts, left: ReadonlySet<ImportPart>): Counts =>
  Object.fromEntries(
    Object.entries(counts).filter(([name]) => {
      const part = partOfCount[name]
      return part === undefined || !left.has(part)
    }),
  )
