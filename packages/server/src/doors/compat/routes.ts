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
import type { CompatDependencies } from './dependencies.ts'
import { compatUserRoutes } from './users/routes.ts'

export const compatRoutes = (app: FastifyInstance, context: Context, dependencies: CompatDependencies): void => {
  compatSignInRoutes(app, context, dependencies)
  compatUserRoutes(app, context)
  compatSystemRoutes(app, context)
  compatLibraryRoutes(app, context)
  compatContentsRoutes(app, context, dependencies)
  compatProgressRoutes(app, context)
  compatEventRoutes(app, context, dependencies)
  catalogueRoutes(app, context)
  compatTermRoutes(app, context)
  compatShelfRoutes(app, context)
  compatListCoverRoutes(app, context, dependencies)
  compatEditingRoutes(app, context)
}
