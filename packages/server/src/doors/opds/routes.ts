import { readOpdsCatalog } from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'

export const opdsRoutes = (app: FastifyInstance, _context: Context): void => {
  serve(app, readOpdsCatalog, async () => '<feed xmlns="http://www.w3.org/2005/Atom"/>')
}
