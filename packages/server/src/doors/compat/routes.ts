import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { compatSignInRoutes } from './sign-in/routes.ts'
import { compatSystemRoutes } from './system/routes.ts'

export const compatRoutes = (app: FastifyInstance, context: Context): void => {
  compatSignInRoutes(app, context)
  compatSystemRoutes(app, context)
}
