import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { compatContentsRoutes } from './contents/routes.ts'
import { compatEditingRoutes } from './editing/routes.ts'
import { compatEventRoutes } from './events/routes.ts'
import { compatLibraryRoutes } from './libraries/routes.ts'
import { compatProgressRoutes } from './progress/routes.ts'
import { compatListCoverRoutes } from './shelves/cover-routes.ts'
import { compatShelfRoutes } from './shelves/routes.ts'
import { compatSignInRoutes } from './sign-in/routes.ts'
import { compatSystemRoutes } from './system/routes.ts'
import { compatTermRoutes } from './terms/routes.ts'
import { compatRecords } from './records/records.ts'
import type { CompatContext, CompatDependencies } from './dependencies.ts'
import { compatUserRoutes } from './users/routes.ts'

export const compatRoutes = (app: FastifyInstance, context: Context, dependencies: CompatDependencies): void => {
  const withRecords: CompatContext = { ...context, records: compatRecords(context.db) }
  compatSignInRoutes(app, context, dependencies)
  compatUserRoutes(app, context)
  compatSystemRoutes(app, context)
  compatLibraryRoutes(app, context)
  compatContentsRoutes(app, context, dependencies)
  compatProgressRoutes(app, context)
  compatEventRoutes(app, context, dependencies)
  catalogueRoutes(app, withRecords)
  compatTermRoutes(app, context)
  compatShelfRoutes(app, withRecords)
  compatListCoverRoutes(app, context, dependencies)
  compatEditingRoutes(app, context)
}
