import { readCompatClaim } from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { anyUserExists } from '../../features/users/users.ts'
import { serve } from '../../http/serve.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { compatShelfRoutes } from './shelves/routes.ts'
import { compatTermRoutes } from './terms/routes.ts'

export const compatRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context
  serve(app, readCompatClaim, async () => ({ isClaimed: await anyUserExists(db.read) }))
  catalogueRoutes(app, context)
  compatTermRoutes(app, context)
  compatShelfRoutes(app, context)
}
