import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import type { KoreaderTools } from '../features/koreader/koreader.ts'
import type { DoorFrame } from '../http/doors.ts'
import { compatFrame } from './compat/frame.ts'
import { compatRoutes } from './compat/routes.ts'
import { koreaderFrame } from './koreader/frame.ts'
import { koreaderRoutes } from './koreader/routes.ts'
import { opdsFrame } from './opds/frame.ts'
import { type OpdsTools, opdsRoutes } from './opds/routes.ts'

/** Every way in besides our own API, for applications that speak another. */
export const doorFrames = (context: Context): readonly DoorFrame[] => [
  opdsFrame(context),
  compatFrame(context),
  koreaderFrame(context),
]

/** What doors show of books, over the same open files as our own API. */
export type DoorTools = OpdsTools

export const doorRoutes = (app: FastifyInstance, context: Context, tools: DoorTools): void => {
  opdsRoutes(app, context, tools)
  compatRoutes(app, context)
  koreaderRoutes(app, context, { ...context, spineOf: tools.contents.spine })
}
