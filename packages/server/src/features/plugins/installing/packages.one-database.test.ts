import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createPlugin,
  type CreatePluginRequest,
  installPluginPackage as install,
  type InstallPackageRequest,
  listPluginPackages,
  readTask,
  removePlugin,
  removePluginPackage,
  saveSetting,
  testPlugin,
  updatePlugin,
} from '@carrel/api'
import { describe, expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { hostileFolder } from '../../../../test/plugins/hosting.ts'
import { startRegistry } from '../../../../test/plugins/registry.ts'
import { type Household, startHousehold } from '../../../../test/plugins/with-plugins.ts'
import { workOn } from '../../../../test/work.ts'
import { installPluginPackage } from './packages.ts'

const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)

const allow = async ({ admin }: Household, value: string[]): Promise<void> => {
  bodyOf(await admin.call(saveSetting, { params: { key: 'plugins.allowed_packages' }, body: { value } }))
}

describe('C19 packages', () => {
  const installAndWait = async (house: Household, body: InstallPackageRequest) => {
    const work = workOn(house.server, [installPluginPackage])
    try {
      const { taskId } = bodyOf(await house.admin.call(install, { body }))
      const task = async () => bodyOf(await house.admin.call(readTask, { params: { id: taskId } }))
      await eventually(async () => (await task()).status).toMatch(/completed|failed/)
      return await task()
    } finally {
      await work.stop()
    }
  }

  test('C19 a folder below data/plugins is installed, set up by its name, and runs', async () => {
    await using house = await startHousehold()
    expect(await installAndWait(house, { source: 'folder', path: 'hostile' })).toMatchObject({ status: 'completed' })
    expect(bodyOf(await house.admin.call(listPluginPackages, {})).packages).toContainEqual(
      expect.objectContaining({ name: 'hostile', version: '1.2.3', source: 'folder' }),
    )
    const body = { name: 'packed', displayName: 'Packed', package: 'hostile', enabled: true }
    const { plugin } = bodyOf(await house.admin.call(createPlugin, { body }))
    expect(await house.ask(plugin.id, 'Yotsuba')).toBe('Yotsuba')
  })

  const setUpBuiltIn = async (house: Household, name: string, more: Partial<CreatePluginRequest> = {}) => {
    const packageName = `@carrel/plugin-${name}`
    const packages = async () => bodyOf(await house.admin.call(listPluginPackages, {})).packages
    await eventually(packages).toContainEqual(expect.objectContaining({ name: packageName, source: 'built_in' }))
    const body = { name, displayName: name, package: packageName, enabled: true, ...more }
    return bodyOf(await house.admin.call(createPlugin, { body })).plugin
  }

  test.each(['local-recommendations', 'open-library'])(
    'PLG-1 %s comes with Carrel, and runs as an ordinary plugin',
    async (name) => {
      await using house = await startHousehold()
      const { id } = await setUpBuiltIn(house, name)
      const tested = bodyOf(await house.admin.call(testPlugin, { params: { id } }))
      expect(tested).toMatchObject({ success: true, manifest: { name } })
    },
  )

  test('PLG-1 local-catalogue comes with Carrel, says what it lacks, and finds what is in the file it may read', async () => {
    await using house = await startHousehold()
    const elsewhere = await mkdtemp(join(tmpdir(), 'carrel-elsewhere-'))
    const file = join(elsewhere, 'catalogue.csv')
    await writeFile(file, 'title,year\nYotsuba,2003\nMushishi,1999\n')
    const { id } = await setUpBuiltIn(house, 'local-catalogue')
    expect(bodyOf(await house.admin.call(testPlugin, { params: { id } }))).toMatchObject({
      success: false,
      message: expect.stringMatching(/^CONFIG_ERROR: /) as string,
    })
    const body = { config: { file }, permissions: [`read:${file}`] }
    bodyOf(await house.admin.call(updatePlugin, { params: { id }, body }))
    expect(await house.ask(id, 'yotsuba')).toBe('Yotsuba')
    await rm(elsewhere, { recursive: true })
  })

  test('PLG-1 a file of one’s own is read when that was granted, and none of Carrel’s', async () => {
    await using house = await startHousehold()
    const { dataDir } = house.server.context.config
    const elsewhere = await mkdtemp(join(tmpdir(), 'carrel-elsewhere-'))
    const file = join(elsewhere, 'catalogue.csv')
    await writeFile(file, 'a list')
    await writeFile(join(dataDir, 'own'), 'everything')
    const { id } = await house.setUp('reads-files.mjs')
    expect(await house.ask(id, file)).toBe('refused: ERR_ACCESS_DENIED')
    const permissions = [`read:${file}`, `read:${dataDir}`, 'read:/']
    bodyOf(await house.admin.call(updatePlugin, { params: { id }, body: { permissions } }))
    expect(await house.ask(id, file)).toBe('a list')
    expect(await house.ask(id, join(dataDir, 'own'))).toBe('refused: ERR_ACCESS_DENIED')
    await rm(elsewhere, { recursive: true })
  })

  test('C19 one with a link that leads out of it is not', async () => {
    await using house = await startHousehold()
    const folder = join(house.server.context.config.dataDir, 'plugins', 'sly')
    await mkdir(folder)
    await writeFile(join(folder, 'package.json'), '{"name":"sly","version":"1.0.0","main":"main.mjs"}')
    await writeFile(join(folder, 'main.mjs'), '')
    await symlink('/etc', join(folder, 'etc'))
    expect(await installAndWait(house, { source: 'folder', path: 'sly' })).toMatchObject({
      status: 'failed',
      lastError: 'etc is a link that leads out of it.',
    })
    await rm(folder, { recursive: true })
  })

  test('C19 a package goes when nothing runs it, and none that comes with Carrel', async () => {
    await using house = await startHousehold()
    const { admin, server } = house
    const body = { source: 'folder', path: 'hostile' } as const
    expect(await installAndWait(house, body)).toMatchObject({ status: 'completed' })
    const names = async () => bodyOf(await admin.call(listPluginPackages, {})).packages.map(({ name }) => name)
    const installed = await names()
    const name = installed.find((each) => !each.startsWith('@carrel/')) ?? ''
    const remove = (name: string) => admin.call(removePluginPackage, { params: { name } })
    const { plugin } = bodyOf(
      await admin.call(createPlugin, { body: { name: 'user-of-it', displayName: 'Its user', package: name } }),
    )
    expect(await remove(name)).toMatchObject({
      status: 409,
      error: { message: 'It is what Its user runs: delete that plugin first.' },
    })
    bodyOf(await admin.call(removePlugin, { params: { id: plugin.id } }))
    expect(await remove(name)).toMatchObject({ ok: true })
    expect(await names()).toEqual(installed.filter((each) => each !== name))
    expect(readdirSync(join(server.context.config.dataDir, 'plugins', 'hostile'))).not.toEqual([])
    expect(await remove(name)).toMatchObject({ status: 404 })
    expect(await remove('@carrel/plugin-local-catalogue')).toMatchObject({ status: 409 })
  })

  test('C19 from npm only what the setting names', async () => {
    await using house = await startHousehold()
    const body = { source: 'npm', name: 'left-pad', version: '1.0.0' } as const
    expect(await house.admin.call(install, { body })).toMatchObject({
      status: 400,
      error: { message: 'The setting plugins.allowed_packages does not name left-pad.' },
    })
  })

  test('C19 another version is refused while one is being installed, and the same one is the same task', async () => {
    await using house = await startHousehold()
    await allow(house, ['left-pad'])
    const ask = (version: string) => house.admin.call(install, { body: { source: 'npm', name: 'left-pad', version } })
    const { taskId } = bodyOf(await ask('1.0.0'))
    expect(bodyOf(await ask('1.0.0'))).toEqual({ taskId })
    expect(errorOf(await ask('1.1.0'))).toMatchObject({ error: 'conflict', reason: 'running_already' })
  })

  test('C19 from npm what the setting names, once, and none of its scripts is run', async () => {
    await using registry = await startRegistry({
      name: 'from-npm',
      version: '1.0.0',
      files: {
        'main.mjs':
          "import { answer, results, talk } from './talk.mjs'; talk(({ id }) => answer(id, results('from npm')))",
        'talk.mjs': readFileSync(join(hostileFolder, 'talk.mjs'), 'utf8'),
      },
      manifest: {
        bin: { 'from-npm': 'main.mjs' },
        scripts: { postinstall: 'touch ../../ran', install: 'touch ../../ran' },
      },
    })
    await using house = await startHousehold({
      env: { CARREL_PLUGIN_REGISTRY: registry.url, PATH: process.env.PATH ?? '' },
    })
    await allow(house, ['from-npm'])
    const body = { source: 'npm', name: 'from-npm', version: '1.0.0' } as const
    expect(await installAndWait(house, body)).toMatchObject({ status: 'completed', lastError: null })
    const requestCount = registry.requests.length
    const expected = { name: 'packed', displayName: 'Packed', package: 'from-npm', enabled: true }
    const { plugin } = bodyOf(await house.admin.call(createPlugin, { body: expected }))
    expect(await house.ask(plugin.id)).toBe('from npm')
    expect(registry.requests).toHaveLength(requestCount)
    const { folder } = await house.server.context.db.read
      .selectFrom('plugin_package')
      .select('folder')
      .where('source', '=', 'npm')
      .executeTakeFirstOrThrow()
    expect(readdirSync(join(house.server.context.config.dataDir, 'plugins', folder))).not.toContain('ran')
  })

  test('C19 what the registry does not have fails with what npm said', async () => {
    await using registry = await startRegistry({ name: 'another', version: '1.0.0', files: {}, manifest: {} })
    // Carrel does not know the registry: npm does, as on a machine that has a registry or a proxy of its own.
    await using house = await startHousehold({
      env: { npm_config_registry: registry.url, PATH: process.env.PATH ?? '' },
    })
    await allow(house, ['from-npm'])
    const task = await installAndWait(house, { source: 'npm', name: 'from-npm', version: '1.0.0' })
    expect(task).toMatchObject({
      status: 'failed',
      lastError: expect.stringMatching(/^It could not be installed: npm error/) as string,
    })
    expect(registry.requests).not.toEqual([])
    expect(readdirSync(join(house.server.context.config.dataDir, 'plugins', 'packages'))).toEqual([])
  })
})
