import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { forgetReading } from './forget.ts'
import { readIntake } from './intake.ts'

/** What the web app shows of it; what KOReader itself asks for stands at its door. */
export const koreaderRoutes = (app: FastifyInstance, { db }: Context): void => {
  serve(app, api.readStatisticsIntake, ({ caller }) => readIntake(db.readSlowly, caller.userId))
  // Bound here, because what KOReader has said goes with the log.
  serve(app, api.deleteReadingLog, ({ params }) => forgetReading(db, params.id))
}
