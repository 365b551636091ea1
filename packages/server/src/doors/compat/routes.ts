import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { compatContentsRoutes } from './contents/routes.ts'
import { compatEventRoutes } from './events/routes.ts'
import { compatLibraryRoutes } from './libraries/routes.ts'
import { compatProgressRoutes } from './progress/routes.ts'
import { compatSignInRoutes } from './sign-in/routes.ts'
import { compatSystemRoutes } from './system/routes.ts'
import type { CompatTools } from './tools.ts'

export const compatRoutes = (app: FastifyInstance, context: Context, tools: CompatTools): void => {
  compatSignInRoutes(app, context)
  compatSystemRoutes(app, context)
  compatLibraryRoutes(app, context)
  compatContentsRoutes(app, context, tools)
  compatProgressRoutes(app, context)
  compatEventRoutes(app, context, tools)
}
