import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import { inventoryReading } from './inventory.ts'

export const inventoryRoutes = (app: FastifyInstance, context: Context): void => {
  const readInventory = inventoryReading(context)
  serve(app, api.readInventory, async ({ caller }) => readInventory(await context.viewerOf(caller)))
}
