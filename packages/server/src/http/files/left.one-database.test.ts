import { once } from 'node:events'
import { request } from 'node:http'
import { endpoint } from '@carrel/api'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.ts'
import { serveDownload } from './download.ts'
import { serveMedia } from './media.ts'

const shape = { tag: 'Test', access: 'open', summary: 'What is held', mediaType: 'application/octet-stream' } as const
const file = endpoint('GET /api/v1/test/file', shape)
const sound = endpoint('GET /api/v1/test/sound', shape)
const picture = endpoint('GET /api/v1/test/picture', shape)

test('G1 what is opened for a client who has left meanwhile is closed', async () => {
  const closed: string[] = []
  const asked = new Map<string, () => void>()
  /** It is answered when the client has left. */
  const afterLeaving = async (name: string, { raw }: FastifyReply) => {
    asked.get(name)?.()
    await once(raw, 'close')
    const open = async function* () {}
    return { mediaType: 'audio/mpeg', size: 1, open, close: () => void closed.push(name) }
  }
  await using server = await startServer({
    more: (app) => {
      serveDownload(app, file, async ({ reply }) => {
        const held = await afterLeaving('file', reply)
        return { ...held, etag: 'x', modifiedAt: undefined, fileName: 'x' }
      })
      serveMedia(app, sound, async ({ reply }) => {
        const held = await afterLeaving('sound', reply)
        return { etag: 'x', isImmutable: false, read: async () => held }
      })
      serveMedia(app, picture, async ({ reply }) => {
        const { close: giveBack } = await afterLeaving('picture', reply)
        const bytes = { mediaType: 'image/png', bytes: Buffer.from('x'), giveBack }
        return { etag: 'x', isImmutable: false, read: async () => bytes }
      })
    },
  })

  for (const name of ['file', 'sound', 'picture']) {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    asked.set(name, () => resolve(undefined))
    const outgoing = request(`${server.url}/api/v1/test/${name}`).on('error', () => undefined)
    outgoing.end()
    await promise
    outgoing.destroy()
    await expect.poll(() => closed).toContain(name)
  }

  expect(closed).toEqual(['file', 'sound', 'picture'])
})
