import { readKoreaderHealth } from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'

export const koreaderRoutes = (app: FastifyInstance, _context: Context): void => {
  serve(app, readKoreaderHealth, async () => ({ state: 'OK' as const }))
}
