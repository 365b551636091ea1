import { createServer } from 'node:http'
import { createPlugin, readPluginFailures, saveSetting, updatePlugin } from '@carrel/api'
import { describe, expect, test } from 'vitest'
import { startHousehold } from '../../../test/plugins/with-plugins.ts'

/** A page of somebody’s own at home. */
const pageAtHome = async (body: string) => {
  const server = createServer((_, response) => response.end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('PLG-1 what a plugin may is what it was granted', () => {
  test('PLG-1 the network is what is public; a server of one’s own is named with its port, and what was refused is said', async () => {
    await using house = await startHousehold()
    await using page = await pageAtHome('a page')
    const url = `http://127.0.0.1:${page.port}/`
    const { id } = await house.setUp('fetches.mjs', { permissions: ['network'] })
    expect(await house.ask(id, url)).toMatch(/^refused: /)
    const failuresOf = async () => {
      const read = await house.admin.call(readPluginFailures, { params: { id }, query: {} })
      return read.ok ? read.body : undefined
    }
    const refused = 'Only the ports 80 and 443 may be reached.'
    await expect.poll(failuresOf).toMatchObject({
      windowFailures: 0,
      failures: [
        {
          errorCode: 'NETWORK_REFUSED',
          errorMessage: `It may not reach 127.0.0.1:${page.port}. ${refused}`,
          method: null,
        },
      ],
    })

    const permissions = ['network', `network:127.0.0.1:${page.port}`]
    const changed = await house.admin.call(updatePlugin, { params: { id }, body: { permissions } })
    expect(changed.ok).toBe(true)
    expect(await house.ask(id, url)).toBe('200 a page')
  })

  test.each(['network:shelf', 'network:', 'network:shelf:0', 'network:http://shelf:80'])(
    'PLG-1 %s names no server',
    async (permission) => {
      await using house = await startHousehold()
      const body = { name: 'one', displayName: 'One', command: 'node', args: ['hostile/fetches.mjs'] }
      const made = await house.admin.call(createPlugin, { body: { ...body, permissions: ['network', permission] } })
      expect(made.ok ? made.body : made.error.message).toMatch(/A server to reach is said with its port/)
    },
  )

  test('PLG-1 how much memory one may take is for the administrator to say', async () => {
    await using house = await startHousehold()
    const body = { value: 128 }
    const set = await house.admin.call(saveSetting, { params: { key: 'plugins.memory_max_mib' }, body })
    expect(set.ok).toBe(true)
    const { id } = await house.setUp('grows-outside-the-heap.mjs')
    expect(await house.ask(id)).toBe('PROCESS_CRASHED: Its process has ended: it took more than 128 MiB of memory.')
  })
})
