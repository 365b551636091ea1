import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { constants, getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { hostileFolder, openHosting } from '../plugins/hosting.ts'
import { machines, requireMachine } from '../plugins/machines.ts'

const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)

/** It lists all processes of plugins that work in this folder. */
const runningIn = (folder: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
      return environment.includes('CARREL_PLUGIN_RUN=') && environment.includes(folder)
    } catch {
      return false
    }
  })

describe.each(machines)('PLG-1 a plugin that misbehaves is ended, and what it did is said, on %s', (_, machine) => {
  beforeEach(({ skip }) => requireMachine(machine, skip))
  const { means } = machine

  const cases: readonly (readonly [fixture: string, answer: RegExp, trouble: string])[] = [
    ['crashes-at-start.mjs', /^PROCESS_CRASHED: Its process has ended: code 3/, 'PROCESS_CRASHED'],
    ['crashes-on-call.mjs', /^PROCESS_CRASHED: Its process has ended: /, 'PROCESS_CRASHED'],
    ['dies-in-mid-line.mjs', /^PROCESS_CRASHED: /, 'PROCESS_CRASHED'],
    ['floods-output.mjs', /^PROTOCOL_ERROR: It says more than anybody can listen to/, 'PROTOCOL_ERROR'],
    ['floods-a-line.mjs', /^PROTOCOL_ERROR: It wrote a line of more than/, 'PROTOCOL_ERROR'],
    ['answers-at-length.mjs', /^PROTOCOL_ERROR: It wrote a line of more than/, 'PROTOCOL_ERROR'],
    ['answers-garbage.mjs', /^PROTOCOL_ERROR: .*The line is not JSON/, 'PROTOCOL_ERROR'],
    ['answers-no-text.mjs', /^PROTOCOL_ERROR: .*not UTF-8/, 'PROTOCOL_ERROR'],
    ['answers-twice.mjs', /^first$/, 'PROTOCOL_ERROR'],
    ['answers-what-nobody-asked.mjs', /^PROTOCOL_ERROR: It answered what it was not asked/, 'PROTOCOL_ERROR'],
    ['answers-in-the-wrong-shape.mjs', /^PROTOCOL_ERROR: Its answer to .* is none/, 'PROTOCOL_ERROR'],
    ['answers-too-deep.mjs', /^PROTOCOL_ERROR: .*too deep/, 'PROTOCOL_ERROR'],
    ['speaks-another-protocol.mjs', /^PROTOCOL_ERROR: /, 'PROTOCOL_ERROR'],
    ['has-no-manifest.mjs', /^PROTOCOL_ERROR: Its answer to initialize is none/, 'PROTOCOL_ERROR'],
    ['is-of-another-age.mjs', /^INIT_ERROR: It speaks version 9.0/, 'INIT_ERROR'],
    ['grows.mjs', /^PROCESS_CRASHED: /, 'PROCESS_CRASHED'],
    ['grows-outside-the-heap.mjs', /^PROCESS_CRASHED: .*more than 128 MiB of memory/, 'PROCESS_CRASHED'],
    ['shouts-at-the-log.mjs', /^PROCESS_CRASHED: /, 'PROCESS_CRASHED'],
  ]
  test.each(cases)('%s', async (fixture, answer, trouble) => {
    await using hosting = await openHosting({ means })
    // Some have much to do before they are too large, beside everybody else.
    expect(await hosting.ask(hosting.spec(fixture), 'anything', 45_000)).toMatch(answer)
    await eventually(() => hosting.troubles.map(({ fault }) => fault.code)).toEqual([trouble])
    expect(hosting.calls).toHaveLength(1)
    // Nobody else notices.
    expect(await hosting.ask(hosting.spec('well-behaved.mjs'), 'Yotsuba')).toBe('Yotsuba')
  })

  test('one that hangs at the start is not waited for longer than it may take', async () => {
    await using hosting = await openHosting({ means, timing: { initializeMs: 500 } })
    expect(await hosting.ask(hosting.spec('hangs-at-start.mjs'))).toMatch(/^INIT_ERROR: It did not answer initialize/)
    expect(hosting.host.running).toEqual([])
  })

  test('one that hangs and answers no ping is ended', async () => {
    await using hosting = await openHosting({ means })
    const spec = hosting.spec('hangs-on-call.mjs')
    expect(await hosting.ask(spec, 'anything', 3000)).toMatch(/^TIMEOUT: It did not answer metadata/)
    await eventually(() => hosting.troubles.map(({ fault }) => fault.message)).toEqual([
      'It hangs: it answered neither metadata/series/search nor ping.',
    ])
    expect(hosting.host.running).toEqual([])
  })

  test('one that is only slow lives on, and what it says too late is passed over', async () => {
    await using hosting = await openHosting({ means })
    const spec = hosting.spec('answers-late.mjs')
    expect(await hosting.ask(spec, 'quick')).toBe('in time')
    expect(await hosting.ask(spec, 'slow', 300)).toMatch(/^TIMEOUT: /)
    expect(await hosting.ask(spec, 'quick')).toBe('in time')
    expect(hosting.host.running.map(({ key }) => key)).toEqual([spec.key])
  })

  test('one that never answers is told of as late, once', async () => {
    await using hosting = await openHosting({ means })
    const spec = hosting.spec('never-answers.mjs')
    const answers = await Promise.all([1, 2, 3].map(() => hosting.ask(spec, 'anything', 1500)))
    expect(answers.every((answer) => answer.startsWith('TIMEOUT: '))).toBe(true)
    await eventually(() => hosting.troubles.map(({ fault }) => fault.code)).toEqual(['TIMEOUT'])
  })

  test('one that asks without end, and listens to no answer, is ended like one that hangs', async () => {
    await using hosting = await openHosting({ means })
    expect(await hosting.ask(hosting.spec('asks-without-end.mjs'), 'anything', 2000)).toMatch(/^TIMEOUT: /)
    await eventually(() => hosting.troubles.map(({ fault }) => fault.code)).toEqual(['TIMEOUT'])
    expect(hosting.host.running).toEqual([])
  })

  test('one that keeps more than it may is ended', async () => {
    await using hosting = await openHosting({ means, folderBytesMax: 20 * 1024 * 1024, timing: { checkEveryMs: 50 } })
    expect(await hosting.ask(hosting.spec('keeps-too-much.mjs'))).toMatch(/^kept$|^PROCESS_CRASHED: It keeps more/)
    await eventually(() => hosting.troubles.map(({ fault }) => fault.message)).toEqual([
      'It keeps more than 20 MiB of files.',
    ])
  })

  test('one that is stopped may answer what it has been asked', async () => {
    await using hosting = await openHosting({ means })
    const spec = hosting.spec('answers-after-a-while.mjs')
    expect(await hosting.ask(spec)).toBe('at last')
    const pending = hosting.ask(spec)
    await hosting.host.forget(() => true)
    expect(await pending).toBe('at last')
  })

  test('one that crashes when nobody asks it anything is told of too, and started again when it is asked', async () => {
    await using hosting = await openHosting({ means })
    const spec = hosting.spec('crashes-when-idle.mjs')
    await hosting.ask(spec, 'anything', 20_000)
    await eventually(() => hosting.troubles.map(({ fault }) => fault.code)).toContain('PROCESS_CRASHED')
    expect(hosting.troubles[0]?.isGrave).toBe(true)
  })

  test('one that reads nothing holds up nobody but itself', async () => {
    await using hosting = await openHosting({ means })
    const spec = hosting.spec('never-reads.mjs')
    const pending = Array.from({ length: 300 }, () => hosting.ask(spec, 'x'.repeat(20_000), 1500))
    expect(await hosting.ask(hosting.spec('well-behaved.mjs'), 'Yotsuba')).toBe('Yotsuba')
    const codes = new Set((await Promise.all(pending)).map((answer) => answer.split(':')[0]))
    expect(codes).toEqual(new Set(['TIMEOUT', 'UNAVAILABLE']))
  })
})

describe.each(machines)(
  'PLG-1 a plugin can do no more than it was granted, as the report says, on %s',
  (_, machine) => {
    beforeEach(({ skip }) => requireMachine(machine, skip))
    const options = { means: machine.means }
    const isSandboxed = machine.sandbox !== 'none'

    test('it has a third of our share of the processors, so that it answers in time beside much else', async () => {
      await using hosting = await openHosting(options)
      await hosting.ask(hosting.spec('well-behaved.mjs'), 'Yotsuba')
      const lower = Math.min(getPriority() + 5, constants.priority.PRIORITY_LOW)
      expect(new Set(runningIn(hosting.folder).map((pid) => getPriority(Number(pid))))).toEqual(new Set([lower]))
    })

    test('it sees nothing of our environment', async () => {
      await using hosting = await openHosting(options)
      const spec = hosting.spec('reads-the-environment.mjs', { env: { API_KEY: 'its own' } })
      const { env, parent } = JSON.parse(await hosting.ask(spec)) as { env: Record<string, string>; parent: string }
      expect(Object.keys(env).sort()).toEqual(['API_KEY', 'CARREL_PLUGIN_RUN', 'HOME', 'LANG', 'PATH', 'PWD', 'TMPDIR'])
      expect(parent).toBe('ERR_ACCESS_DENIED')
      expect(hosting.isolation().environment).toBe('enforced')
    })

    test('it reads and writes no file but those of its own folder', async () => {
      await using hosting = await openHosting(options)
      const elsewhere = await mkdtemp(join(tmpdir(), 'carrel-elsewhere-'))
      const database = join(elsewhere, 'carrel.db')
      writeFileSync(database, 'everything')
      for (const path of [database, '/etc/passwd', `/proc/${process.pid}/environ`])
        expect(await hosting.ask(hosting.spec('reads-files.mjs'), path)).toMatch(/^refused: /)
      expect(await hosting.ask(hosting.spec('goes-by-a-link.mjs'), database)).toMatch(/^refused: /)
      expect(await hosting.ask(hosting.spec('writes-files.mjs'), join(elsewhere, 'x'))).toMatch(/^refused: /)
      expect(await hosting.ask(hosting.spec('writes-files.mjs'), join(hostileFolder, 'talk.mjs'))).toMatch(/^refused: /)
      expect(await hosting.ask(hosting.spec('writes-files.mjs'), join(hosting.folder, 'mine'))).toBe('written')
      expect(hosting.isolation().files).toBe('enforced')
      expect(existsSync(join(elsewhere, 'x'))).toBe(false)
      await rm(elsewhere, { recursive: true })
    })

    test('the report says what it is held by', async () => {
      await using hosting = await openHosting(options)
      await hosting.ask(hosting.spec('well-behaved.mjs'))
      const [sandbox, files] = isSandboxed ? ['enforced', 'enforced'] : ['not_enforced', 'enforced']
      expect(hosting.isolation()).toEqual({
        environment: 'enforced',
        files,
        network: sandbox,
        processes: sandbox,
        memory: 'enforced',
      })
      await hosting.ask(hosting.spec('runs-commands.sh'), 'true')
      expect(hosting.isolation().files).toBe(sandbox)
    })

    test('one that is no script for Node sees no file that is not its own, or the report says that it may', async () => {
      await using hosting = await openHosting(options)
      const other = join(hosting.folder, 'another user')
      const own = join(hosting.folder, 'own')
      for (const folder of [other, own]) await mkdir(folder)
      writeFileSync(join(other, 'theirs'), 'secret')
      const spec = hosting.spec('runs-commands.sh', { folder: own })
      const reads = async (path: string) =>
        (await hosting.ask(spec, `cat '${path}' > /dev/null && echo read`)) === 'read .'
      const writes = async (path: string) => (await hosting.ask(spec, `echo x > '${path}' && echo wrote`)) === 'wrote .'
      const seen = [`${other}/theirs`, `/proc/${process.pid}/environ`, '/etc/passwd']
      for (const path of seen) expect([path, await reads(path)]).toEqual([path, !isSandboxed])
      expect(await writes(join(own, 'mine'))).toBe(true)
      expect(await writes(join(other, 'mine'))).toBe(!isSandboxed)
      expect(hosting.isolation().files).toBe(isSandboxed ? 'enforced' : 'not_enforced')
    })

    test('one in a sandbox writes nowhere but in its folder, not in memory either, and has no rights to give', async () => {
      await using hosting = await openHosting(options)
      const spec = hosting.spec('runs-commands.sh')
      const tries = ['/tmp/x', '/dev/shm/x', '/x', '/usr/x'].map((path) => `(: > ${path}) || echo no`).join('; ')
      const refused = (await hosting.ask(spec, tries)).match(/ no /g)?.length ?? 0
      const status = await hosting.ask(spec, 'grep CapEff /proc/self/status')
      await hosting.ask(spec, 'rm -f /tmp/x /dev/shm/x /x /usr/x')
      expect([refused === 4, / 0+ /.test(status)]).toEqual([isSandboxed, isSandboxed])
    })

    test('it ends nobody else, or the report says that it may', async () => {
      await using hosting = await openHosting(options)
      const answer = await hosting.ask(hosting.spec('signals-others.mjs'), String(process.pid))
      expect(answer === 'reached').toBe(hosting.isolation().processes !== 'enforced')
    })

    test.each(['starts-processes.mjs', 'starts-workers.mjs'])('%s', async (fixture) => {
      await using hosting = await openHosting(options)
      expect(await hosting.ask(hosting.spec(fixture))).toMatch(/refused: ERR_ACCESS_DENIED|^null$/)
    })

    test('it opens no more files than it may, and none grows beyond its size', async () => {
      await using hosting = await openHosting(options)
      expect(await hosting.ask(hosting.spec('opens-files.mjs'))).toBe('refused: EMFILE')
      expect(await hosting.ask(hosting.spec('fills-the-disk.mjs'))).toMatch(/^refused: EFBIG|^PROCESS_CRASHED: /)
      expect(statSync(join(hosting.folder, 'mine')).size).toBeLessThanOrEqual(64 * 1024 * 1024)
    })

    test('what it asks and is not offered is refused by its number', async () => {
      await using hosting = await openHosting(options)
      expect(await hosting.ask(hosting.spec('asks-what-is-not-offered.mjs'))).toBe('-32601')
    })

    test('what it answers cannot change what we are made of', async () => {
      await using hosting = await openHosting(options)
      expect(await hosting.ask(hosting.spec('answers-with-prototypes.mjs'))).toBe('')
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    })

    test('its last words can do nothing to a terminal and hold no secret', async () => {
      await using hosting = await openHosting(options)
      const secret = 'correct-horse-battery'
      await hosting.ask(hosting.spec('shouts-at-the-log.mjs', { env: { API_KEY: secret }, secrets: [secret] }))
      await eventually(() => hosting.troubles).toHaveLength(1)
      const { lastWords = '' } = hosting.troubles[0] ?? {}
      expect(lastWords.length).toBeLessThanOrEqual(4096)
      expect(lastWords).toContain('the key is [redacted]')
      for (const character of ['\u001B', '\u0007']) expect(lastWords).not.toContain(character)
    })
  },
)

describe.each(machines)('PLG-1 nothing of a plugin is left on %s', (_, machine) => {
  beforeEach(({ skip }) => requireMachine(machine, skip))
  const options = { means: machine.means }

  test('of one that ignores shutdown and SIGTERM', async () => {
    const hosting = await openHosting(options)
    expect(await hosting.ask(hosting.spec('ignores-shutdown.mjs'))).toBe('still here')
    await hosting[Symbol.asyncDispose]()
    expect(runningIn(hosting.folder)).toEqual([])
  })

  test('of one that starts processes without end', async () => {
    await using hosting = await openHosting(options)
    expect(await hosting.ask(hosting.spec('forks-without-end.sh'))).toMatch(/more than 64 processes/)
    expect(runningIn(hosting.folder)).toEqual([])
  })

  test('when the process that runs them is killed without a word', async () => {
    const program = fileURLToPath(new URL('../plugins/host-program.ts', import.meta.url))
    const worker = spawn(process.execPath, [program, machine.sandbox], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output] = (await once(worker.stdout, 'data')) as [Buffer]
    const folder = output.toString().trim()
    expect(runningIn(folder).length).toBeGreaterThanOrEqual(4)
    worker.kill('SIGKILL')
    await eventually(() => runningIn(folder)).toEqual([])
    await rm(folder, { recursive: true })
  })

  test('of one whose child has left its group', async () => {
    const hosting = await openHosting(options)
    const spec = hosting.spec('leaves-a-daemon.sh')
    expect(await hosting.host.call(spec, 'ping', undefined, { deadlineMs: 10_000 })).toBe('pong')
    expect(runningIn(hosting.folder).length).toBeGreaterThan(1)
    await hosting[Symbol.asyncDispose]()
    expect(runningIn(hosting.folder)).toEqual([])
  })
})
