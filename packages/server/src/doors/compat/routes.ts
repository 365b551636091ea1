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
import type { CompatTools } from './tools.ts'
import { compatUserRoutes } from './users/routes.ts'

export const compatRoutes = (app: FastifyInstance, context: Context, tools: CompatTools): void => {
  compatSignInRoutes(app, context, tools)
  compatUserRoutes(app, context)
  compatSystemRoutes(app, context)
  compatLibraryRoutes(app, context)
  compatContentsRoutes(app, context, tools)
  compatProgressRoutes(app, context)
  compatEventRoutes(app, context, tools)
  catalogueRoutes(app, context)
  compatTermRoutes(app, context)
  compatShelfRoutes(app, context)
  compatListCoverRoutes(app, context, tools)
  compatEditingRoutes(app, context)
}
