import type { Context } from '../../context.ts'
import type { ContentsReading } from '../../features/contents/contents.ts'
import type { Choosing } from '../../features/covers/covers.ts'
import type { Embedding } from '../../features/files/files.ts'
import type { PageReading } from '../../features/pages/pages.ts'
import type { SignInRecorder } from '../../features/sign-in-activity/sign-in-activity.ts'
import type { EventSource } from '../../http/reply/event-stream.ts'
import type { LibraryReads } from '../../platform/storage/library-reads.ts'
import type { CompatRecords } from './records/records.ts'

/** This door reads books with these, and hears of events. */
export interface CompatDependencies {
  readonly pages: PageReading
  readonly covers: Choosing
  readonly contents: ContentsReading
  readonly libraryReads: LibraryReads
  readonly embedding: Embedding
  readonly events: EventSource
  readonly activity: SignInRecorder
}

/** What the server is made of, and what this door says of books and series. */
export interface CompatContext extends Context {
  readonly records: CompatRecords
}
