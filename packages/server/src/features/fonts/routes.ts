import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serveMedia } from '../../http/files/media.ts'
import { serve } from '../../http/serve.ts'
import { addFont, listFonts, readFont, removeFont } from './fonts.ts'

export const fontRoutes = (app: FastifyInstance, { db, clock }: Context): void => {
  serve(app, api.listFonts, ({ caller }) => listFonts(db.read, caller.userId))
  serve(app, api.uploadFont, ({ caller, query: { name }, body }) =>
    addFont(db, caller.userId, { name, bytes: Buffer.from(body) }, clock()),
  )
  serveMedia(app, api.readFont, ({ caller, params }) => readFont(db.readSlowly, caller.userId, params.id))
  serve(app, api.deleteFont, ({ caller, params }) => removeFont(db, caller.userId, params.id))
}
