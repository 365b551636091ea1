import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ping } from '../src/protocol/index.ts'
import { startPlugin } from '../src/testing/index.ts'

const bundles = fileURLToPath(new URL('../../server/dist/plugins', import.meta.url))
/** These plugins come with Carrel; the echoes are for people who write plugins. */
const plugins = readdirSync(bundles)

test.each(plugins.filter((name) => name !== 'local-catalogue'))(
  'the bundle of %s runs when it may read nothing but itself',
  async (name) => {
    const program = join(bundles, name, 'main.js')
    await using plugin = await startPlugin(program, { nodeArguments: ['--permission', `--allow-fs-read=${program}`] })
    expect(plugin.manifest?.name).toBe(name)
    expect(await plugin.call(ping)).toBe('pong')
    expect(await plugin.stop()).toEqual({ code: 0, signal: null })
  },
)

test('a file that the catalogue may not read is named', async () => {
  const program = join(bundles, 'local-catalogue/main.js')
  const options = { nodeArguments: ['--permission', `--allow-fs-read=${program}`], adminConfig: { file: '/etc/hosts' } }
  await expect(startPlugin(program, options)).rejects.toThrow(
    'The catalogue /etc/hosts is outside of what this plugin may read.',
  )
})
