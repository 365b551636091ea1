import * as api from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { type KoreaderDependencies, readPosition, savePosition } from '../../features/koreader/koreader.ts'
import { serve } from '../../http/serve.ts'
import { webdavRoutes } from './webdav.ts'

const ownType = 'application/vnd.koreader.v1+json'
const noUsers = 'Users are not created here. Sign in with your user name and an API key.'

export const koreaderRoutes = (app: FastifyInstance, context: Context, dependencies: KoreaderDependencies): void => {
  const { viewerOf } = context
  serve(app, api.readKoreaderHealth, async () => ({ state: 'OK' as const }))
  serve(app, api.createKoreaderUser, async () => ({ code: 2005, message: noUsers }))
  serve(app, api.authoriseKoreader, async () => ({ authorized: 'OK' as const }))
  serve(app, api.saveKoreaderPosition, async ({ caller, body }) =>
    savePosition(dependencies, await viewerOf(caller), body),
  )
  serve(app, api.readKoreaderPosition, async ({ caller, params }) =>
    readPosition(dependencies, await viewerOf(caller), params.document),
  )
  webdavRoutes(app, context)
  app.addHook('onSend', (request, reply, payload, done) => {
    const isOurs = request.route?.endpoint?.shape.door === 'koreader'
    const isJson = isOurs && String(reply.getHeader('content-type')).startsWith('application/json')
    if (isJson && request.headers.accept?.includes(ownType)) reply.header('content-type', ownType)
    done(null, payload)
  })
}
