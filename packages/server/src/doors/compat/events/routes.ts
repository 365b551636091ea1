import { streamCompatEvents } from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { serve } from '../../../http/serve.ts'
import { spellingOf } from '../spelling.ts'
import type { CompatDependencies } from '../dependencies.ts'
import { compatWording, heartbeat } from './wording.ts'

export const compatEventRoutes = (
  app: FastifyInstance,
  { settings }: Context,
  { events }: CompatDependencies,
): void => {
  serve(app, streamCompatEvents, (input) => {
    // They never ask for what they missed: they read again what they show.
    const from = { ...input, caller: input.caller, query: {} }
    return events.follow(from, compatWording(spellingOf(input.request, settings)), heartbeat)
  })
}
