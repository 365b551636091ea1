import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { createLog, type LogLevel, safeHeaders } from './log.ts'

const collect = (format: 'json' | 'text', level: LogLevel = 'trace') => {
  const lines: string[] = []
  const log = createLog({ level, format, write: (line) => lines.push(line) })
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test('AUTH-2 headers that hold secrets are never logged, all others are, and no long ones in full', () => {
  const secrets = [
    'authorization',
    'cookie',
    'set-cookie',
    'x-api-key',
    'x-auth-token',
    'x-auth-user',
    'x-auth-key',
    'proxy-authorization',
  ]
  const headers = Object.fromEntries(secrets.map((name) => [name, 'the secret']))

  const logged = safeHeaders({ ...headers, 'user-agent': 'Mozilla', 'content-length': 7, 'x-long': 'y'.repeat(5000) })

  expect(JSON.stringify(logged)).not.toContain('the secret')
  for (const name of secrets) expect(logged[name]).toBe('[redacted]')
  expect(logged).toMatchObject({ 'user-agent': 'Mozilla', 'content-length': '7', 'x-long': `${'y'.repeat(1000)}…` })
  expect(safeHeaders({ 'set-cookie': ['a=the secret', 'b=c'] })).toEqual({ 'set-cookie': '[redacted]' })
})

test('a line for machines is JSON with level, time, message and fields', () => {
  const { log, parsed } = collect('json')

  log.info({ port: 8080 }, 'Ready')

  expect(parsed()).toStrictEqual([
    { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), port: 8080, msg: 'Ready' },
  ])
})

test('an error is logged with its code, its stack and what caused it, and without what else hangs on it', () => {
  const { log, parsed } = collect('json')
  const cause = Object.assign(new Error('disk gone'), { code: 'EIO', password: 'the secret' })
  const error = Object.assign(new Error('m'.repeat(5000), { cause }), { query: 'the secret', code: 7 })

  log.error({ err: error }, 'Failed')

  const [{ err } = { err: undefined }] = parsed()
  expect(err).toMatchObject({
    name: 'Error',
    message: `${'m'.repeat(1000)}…`,
    stack: expect.stringContaining('log.unit.test.ts'),
    cause: { name: 'Error', message: 'disk gone', code: 'EIO' },
  })
  expect(err).not.toHaveProperty('code')
  expect(JSON.stringify(err)).not.toContain('the secret')
})

test('a line for people has time, level, message and fields, and the stack below', () => {
  const { log, lines } = collect('text')

  log.warn({ port: 8080, list: [1] }, 'Careful')
  log.error({ err: new Error('broken') }, 'Failed')
  log.trace('Nothing more')

  const [first, second, third] = lines.map(stripVTControlCharacters)
  expect(first).toMatch(/^\d\d:\d\d:\d\d warn {2}Careful {2}port=8080 list=\[1\]\n$/)
  expect(second).toMatch(/^\d\d:\d\d:\d\d error Failed\nError: broken\n {4}at /)
  expect(third).toMatch(/^\d\d:\d\d:\d\d trace Nothing more\n$/)
})

test('CFG-3 what is below the level is not written', () => {
  const quiet = collect('json', 'warn')
  quiet.log.info('no')
  quiet.log.warn('yes')
  const silent = collect('json', 'silent')
  silent.log.fatal('no')

  expect(quiet.parsed().map(({ msg }) => msg)).toEqual(['yes'])
  expect(silent.lines).toEqual([])
})

test('P-19 where little room is left for the log, what is missing is told all the same, once and before what follows', () => {
  const taken: string[] = []
  let takeNext = (): void => undefined
  const out = new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      taken.push(line)
      takeNext = done
    },
  })
  const log = createLog({ level: 'info', format: 'json', out })
  const long = 'y'.repeat(4000)
  while (out.writableLength <= 1024 * 1024) log.info({ long }, 'Answered')
  log.info('dropped')
  log.info('dropped')

  takeNext()
  log.info({ long }, 'after it')
  while (out.writableLength > 0) takeNext()

  const lines = taken.map((line) => JSON.parse(line) as { lines?: number; msg: string })
  const messages = lines.map(({ msg }) => msg)
  expect(messages.slice(-2)).toEqual(['Nobody took the log for a while: these lines are not in it', 'after it'])
  expect(lines.at(-2)?.lines).toBe(2)
  expect(messages).not.toContain('dropped')
})
