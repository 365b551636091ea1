import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../http/serve.ts'
import type { ScanOfLibraries } from '../libraries/libraries.ts'
import { createExampleLibrary, deleteExampleLibrary, findExampleLibrary } from './example-library.ts'

export const exampleLibraryRoutes = (app: FastifyInstance, context: Context, scan: ScanOfLibraries): void => {
  const { viewerOf, clock } = context
  const resources = { ...context, scan }
  serve(app, api.readExampleLibrary, async ({ caller }) => ({
    library: (await findExampleLibrary(resources, await viewerOf(caller))) ?? null,
  }))
  serve(app, api.createExampleLibrary, async ({ caller, body }) =>
    createExampleLibrary(resources, await viewerOf(caller), body.name, clock()),
  )
  serve(app, api.deleteExampleLibrary, async ({ caller }) =>
    deleteExampleLibrary(resources, { caller, viewer: await viewerOf(caller) }, clock()),
  )
}
