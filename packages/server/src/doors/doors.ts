import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import type { ContentsReading } from '../features/contents/contents.ts'
import type { Choosing } from '../features/covers/covers.ts'
import type { PageReading } from '../features/pages/pages.ts'
import type { DoorFrame } from '../http/doors.ts'
import type { EventSource } from '../http/event-stream.ts'
import type { LibraryReads } from '../platform/library-reads.ts'
import { compatFrame } from './compat/frame.ts'
import { compatRoutes } from './compat/routes.ts'
import { koreaderFrame } from './koreader/frame.ts'
import { koreaderRoutes } from './koreader/routes.ts'
import { opdsFrame } from './opds/frame.ts'
import { opdsRoutes } from './opds/routes.ts'

/** Every way in besides our own API, for applications that speak another. */
export const doorFrames = (context: Context): readonly DoorFrame[] => [
  opdsFrame(context),
  compatFrame(context),
  koreaderFrame(context),
]

/** What doors show of books, over the same open files as our own API, and what happens. */
export interface DoorTools {
  readonly pages: PageReading
  readonly covers: Choosing
  readonly contents: ContentsReading
  readonly libraryReads: LibraryReads
  readonly events: EventSource
}

export const doorRoutes = (app: FastifyInstance, context: Context, tools: DoorTools): void => {
  opdsRoutes(app, context)
  compatRoutes(app, context, tools)
  koreaderRoutes(app, context)
}
