import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { type Logger, pino } from 'pino'

export type Log = Logger
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const censored = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
  'x-auth-user',
  'x-auth-key',
  'proxy-authorization',
]

export interface LogOptions {
  readonly level: LogLevel
  /** `text` for people at a terminal, `json` for machines. */
  readonly format: 'text' | 'json'
  readonly write?: (line: string) => void
  readonly out?: Writable
}

/** So much waits in memory for a reader who takes nothing. */
const unreadMaxBytes = 1024 * 1024

const ignoreError = (): void => undefined

/** Structured lines on standard output. Headers are only ever logged through `safeHeaders`, addresses without their query. */
export const createLog = ({ level, format, write, out = process.stdout }: LogOptions): Log => {
  let unwritten = 0
  const writeOut = (line: string): void => {
    // Nobody reads the log any more, or the terminal is gone: that is no reason to end.
    if (!out.listeners('error').includes(ignoreError)) out.on('error', ignoreError)
    if (out.writableLength > unreadMaxBytes) {
      unwritten += 1
      return
    }
    // It goes before the line, which may take the last room there is.
    if (unwritten > 0) {
      const lines = unwritten
      unwritten = 0
      log.warn({ lines }, 'Nobody took the log for a while: these lines are not in it')
    }
    out.write(line)
  }
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorForLog },
    },
    {
      write: (text) => {
        const line = format === 'json' ? text : inWords(text)
        if (write) write(line)
        else writeOut(line)
      },
    },
  )
  return log
}

export const safeHeaders = (headers: NodeJS.Dict<string | string[] | number>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      censored.includes(name) ? '[redacted]' : clip(withoutQuery(String(value))),
    ]),
  )

/** Some headers hold an address, such as `Referer` and what proxies add: a query may be a secret there too. */
const withoutQuery = (text: string): string => text.replaceAll(/\?\S*/g, '?[redacted]')

const clip = (text: string): string => (text.length > 1000 ? `${text.slice(0, 1000)}…` : text)

const errorForLog = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return {
    name,
    message: clip(message),
    ...(typeof code === 'string' && { code }),
    stack,
    ...(cause !== undefined && { cause: errorForLog(cause) }),
  }
}

const colours = { warn: 'yellow', error: 'red', fatal: 'red', info: 'green' } as const

const inWords = (line: string): string => {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>
  const colour = colours[String(level) as keyof typeof colours] ?? 'gray'
  const fields = Object.entries(rest)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
  const stack = (err as { stack?: string } | undefined)?.stack
  const label = styleText(colour, String(level).padEnd(5))
  return `${String(time).slice(11, 19)} ${label} ${String(msg)}${fields && `  ${styleText('gray', fields)}`}${stack ? `\n${stack}` : ''}\n`
}
