import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../../test/library-folder.ts'
import { hardMountOf, requireMounts } from '../../test/fuse.ts'
import { startServer } from '../../test/start-server.ts'
import { type Decoders, openDecoders } from './pool.ts'

/** Decoders that do as they are told by the path of the file they get. */
const misbehaving = `
import { execFileSync } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
const computedMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
process.on('message', ({ id, input }) => {
  const { path } = input.files[0]
  if (path.startsWith('not taken, ') && !existsSync(path.slice(11))) {
    writeFileSync(path.slice(11), '')
    process.kill(process.pid, 'SIGKILL')
  }
  if (path === 'never taken') process.kill(process.pid, 'SIGKILL')
  process.send({ id, isTaken: true })
  if (path === 'crash') process.kill(process.pid, 'SIGSEGV')
  if (path === 'hang') for (;;);
  if (path === 'grow') { const all = []; setInterval(() => all.push(Buffer.alloc(32 * 1024 * 1024, 1)), 5) }
  if (path.startsWith('/')) statSync(path)
  if (path.startsWith('move to ')) {
    execFileSync('taskset', ['-pc', path.slice(8), String(process.pid)])
    process.send({ id, output: { done: 1 }, memoryBytes: 0 })
  }
  if (path === 'compute') {
    const before = computedMs()
    while (computedMs() < before + 700);
    process.send({ id, output: { done: 1 }, memoryBytes: 0 })
  }
  if (path === 'good' || path.startsWith('not taken, ')) process.send({ id, output: { done: 1 }, memoryBytes: 0 })
  if (path === 'environment') process.send({ id, output: Object.keys(process.env), memoryBytes: 0 })
})`

const withDecoders = async (
  folder: LibraryFolder,
  log: Parameters<typeof openDecoders>[0]['log'],
  more: Partial<Parameters<typeof openDecoders>[0]> = {},
): Promise<Decoders> => {
  await folder.write('decoder.mjs', misbehaving)
  return openDecoders({
    log,
    size: 1,
    memoryMaxBytes: 300 * 1024 * 1024,
    program: pathToFileURL(folder.in('decoder.mjs')),
    ...more,
  })
}

const job = (path: string) => ({ files: [{ path, isFolder: false, size: 0, modifiedUs: 0 }], cacheDir: '' })

test.each([
  ['crash', 'crashed', {}],
  ['hang', 'timeout', { silenceMaxMs: 300 }],
  ['grow', 'limit', {}],
])('TSK-2 a decoder that is made to %s fails its own job and no other', async (path, code, options) => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const decoders = await withDecoders(folder, server.context.log)

  const bad = decoders.run('analyse', job(path), options)
  const next = decoders.run('analyse', job('good'))

  await expect(bad).rejects.toMatchObject({ name: 'BookFault', code })
  expect(await next).toEqual({ done: 1 })
  await decoders.close()
})

test('G1 TSK-2 a decoder that ends before it has taken a job leaves it to another', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const decoders = await withDecoders(folder, server.context.log)

  expect(await decoders.run('analyse', job(`not taken, ${folder.in('killed')}`))).toEqual({ done: 1 })

  server.forgive('A decoder has crashed')
  await decoders.close()
})

/** Until the end no process can be started, as on a machine that has none left. */
const startNone = (): Disposable => {
  const { execPath } = process
  process.execPath = '/nothing/there'
  return {
    [Symbol.dispose]: () => {
      process.execPath = execPath
    },
  }
}

test('P-23 no book is to blame where no decoder can be started: its job waits, and is done when one can', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const told = Promise.withResolvers<unknown>()
  const log = { ...server.context.log, warn: told.resolve }
  const decoders = await withDecoders(folder, log)
  const done = (() => {
    using _ = startNone()
    return decoders.run('analyse', job('good'))
  })()

  expect(await told.promise).toEqual({ reason: 'spawn /nothing/there ENOENT' })
  expect(await done).toEqual({ done: 1 })
  await decoders.close()
})

test('P-23 where no decoder takes a job nobody waits for ever, and what is told is not about the book', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('ends.mjs', 'process.exit(3)')
  const program = pathToFileURL(folder.in('ends.mjs'))
  const decoders = await withDecoders(folder, server.context.log, { program, startsWithinMs: 0 })

  const error = { code: 'unavailable', retryAfterSeconds: 5, cause: { message: 'code 3' } }
  await expect(decoders.run('analyse', job('good'))).rejects.toMatchObject(error)
  {
    using _ = startNone()
    const cause = { message: 'spawn /nothing/there ENOENT' }
    await expect(decoders.run('analyse', job('good'))).rejects.toMatchObject({ ...error, cause })
  }
  await decoders.close()
})

test('P-23 a job that ends each decoder before it is taken comes to its end while others are done', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const decoders = await withDecoders(folder, server.context.log, { size: 2, startsWithinMs: 1000 })

  const over = new AbortController()
  const bad = decoders.run('analyse', job('never taken')).finally(() => over.abort())
  const others = async (): Promise<void> => {
    while (!over.signal.aborted) await decoders.run('analyse', job('good'), { urgent: true })
  }

  const [ended] = await Promise.allSettled([bad, others()])
  const reason: unknown = expect.objectContaining({ code: 'unavailable', cause: new Error('SIGKILL') })
  expect(ended).toEqual({ status: 'rejected', reason })
  await decoders.close()
})

test('G1 TSK-2 a decoder that gets no processor is not taken for one that hangs', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const decoders = await withDecoders(folder, server.context.log)
  const [processor = ''] =
    /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.slice(1) ?? []
  const others = Array.from({ length: 3 }, () =>
    spawn('taskset', ['-c', processor, process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  try {
    await decoders.run('analyse', job(`move to ${processor}`))
    // It computes for less than its limit, and takes longer.
    const done = decoders.run('analyse', job('compute'), { silenceMaxMs: 2000 })
    expect(await done).toEqual({ done: 1 })
  } finally {
    for (const other of others) other.kill('SIGKILL')
    await decoders.close()
  }
})

test('TSK-2 a decoder knows nothing of our environment', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const decoders = await withDecoders(folder, server.context.log)

  const names = (await decoders.run('analyse', job('environment'))) as unknown as string[]

  const ofNode = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_COMPILE_CACHE']
  const given = ['UV_THREADPOOL_SIZE', 'MALLOC_ARENA_MAX', 'CARREL_BACKGROUND_PRIORITY', ...ofNode]
  expect(names.filter((name) => !given.includes(name))).toEqual([])
  await decoders.close()
})

test('TSK-2 a job nobody waits for any more ends, and so do jobs of a pool that is closed', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  const decoders = await withDecoders(folder, server.context.log)
  const abort = new AbortController()

  const forgotten = decoders.run('analyse', job('hang'), { signal: abort.signal })
  const waiting = decoders.run('analyse', job('hang'))
  const ends = Promise.allSettled([forgotten, waiting])
  abort.abort()
  await decoders.close()

  const unreadable = { status: 'rejected', reason: { code: 'unreadable' } }
  expect(await ends).toMatchObject([unreadable, unreadable])
})

test('W14 what is asked by who has left already is not begun', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  const decoders = await withDecoders(folder, server.context.log)
  try {
    await expect(decoders.run('analyse', job('hang'), { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  } finally {
    await decoders.close()
  }
})

test('W14 a decoder that hangs where not even its end reaches it holds up nobody', async ({ skip }) => {
  requireMounts(skip)
  await using server = await startServer()
  await using folder = await libraryFolder()
  await using mount = await hardMountOf(folder.path)
  const decoders = await withDecoders(folder, server.context.log, { endsWithinMs: 200 })
  mount.hang()

  const bad = decoders.run('analyse', job(mount.path), { silenceMaxMs: 300 })
  const next = decoders.run('analyse', job('good'))

  await expect(bad).rejects.toMatchObject({ name: 'BookFault', code: 'timeout' })
  expect(await next).toEqual({ done: 1 })
  const stopped = decoders.run('analyse', job(mount.path)).catch(String)
  await decoders.close()
  expect(await stopped).toContain('The server is stopping.')
})
