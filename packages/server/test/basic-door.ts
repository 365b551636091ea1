import { endpoint, User } from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import { serve } from '../src/http/serve.ts'

/** An endpoint as the doors have them: it takes Basic besides what the main API takes. */
export const basicDoor = endpoint('GET /test/basic-door', {
  summary: 'Who knocks',
  tag: 'Test',
  access: 'signed-in',
  schemes: ['bearer', 'key', 'cookie', 'basic'],
  reply: User,
})

export const openBasicDoor = (app: FastifyInstance): void =>
  serve(app, basicDoor, async ({ caller }) => ({
    id: caller.userId,
    username: caller.username,
    email: null,
    role: caller.role,
    permissions: [...caller.permissions],
    language: null,
    timeZone: 'UTC',
    downloadMetadata: caller.downloadMetadata,
  }))

export const basicHeader = (username: string, password: string): { readonly authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})
