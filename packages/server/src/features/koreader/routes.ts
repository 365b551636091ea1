import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { forgetReading } from './forget.ts'
import { readIntake } from './intake.ts'

/** The web app uses these; KOReader's own requests go to its door. */
export const koreaderRoutes = (app: FastifyInstance, { db }: Context): void => {
  serve(app, api.readStatisticsIntake, ({ caller }) => readIntake(db.readSlowly, caller.userId))
  // The route is bound here, because KOReader's data is deleted with the log.
  serve(app, api.deleteReadingLog, ({ params }) => forgetReading(db, params.id))
}
