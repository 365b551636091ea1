import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import type { ContentsReading } from '../features/contents/contents.ts'
import type { Choosing } from '../features/covers/covers.ts'
import type { Embedding } from '../features/files/files.ts'
import type { PageReading } from '../features/pages/pages.ts'
import type { SignInRecorder } from '../features/sign-in-activity/sign-in-activity.ts'
import type { DoorFrame } from '../http/doors.ts'
import type { EventSource } from '../http/reply/event-stream.ts'
import type { LibraryReads } from '../platform/storage/library-reads.ts'
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

/** Doors read books with these, over the same open files as our own API, and hear of events. */
export interface DoorDependencies {
  readonly pages: PageReading
  readonly covers: Choosing
  readonly contents: ContentsReading
  readonly libraryReads: LibraryReads
  readonly embedding: Embedding
  readonly events: EventSource
  readonly activity: SignInRecorder
}

export const doorRoutes = (app: FastifyInstance, context: Context, dependencies: DoorDependencies): void => {
  opdsRoutes(app, context, { ...dependencies, covers: dependencies.covers.reading })
  compatRoutes(app, context, dependencies)
  koreaderRoutes(app, context, { ...context, spineOf: dependencies.contents.spine })
}
