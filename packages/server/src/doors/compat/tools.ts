import type { ContentsReading } from '../../features/contents/contents.ts'
import type { Choosing } from '../../features/covers/covers.ts'
import type { PageReading } from '../../features/pages/pages.ts'
import type { EventSource } from '../../http/event-stream.ts'
import type { LibraryReads } from '../../platform/library-reads.ts'

/** What this door reads books with, and hears of what happens. */
export interface CompatTools {
  readonly pages: PageReading
  readonly covers: Choosing
  readonly contents: ContentsReading
  readonly libraryReads: LibraryReads
  readonly events: EventSource
}
