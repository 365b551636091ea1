import { readCompatClaim } from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { anyUserExists } from '../../features/users/users.ts'
import { serve } from '../../http/serve.ts'

export const compatRoutes = (app: FastifyInstance, { db }: Context): void => {
  serve(app, readCompatClaim, async () => ({ isClaimed: await anyUserExists(db.read) }))
}
