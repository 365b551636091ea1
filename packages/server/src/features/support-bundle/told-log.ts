import { open } from 'node:fs/promises'
import { basename } from 'node:path'

export interface LogExtract {
  readonly lines: readonly object[]
  /** So many of the lines that were looked at are none of ours, or not in JSON. */
  readonly skipped: number
}

const readBytesMax = 1024 * 1024
const linesMax = 500
const framesMax = 12
const causesMax = 3

/** The last lines of a log, of each only what Carrel's own words and numbers are. */
export const readLog = async (file: string): Promise<LogExtract> => {
  const lines = (await endOf(file)).split('\n').filter((line) => line.trim() !== '')
  const told = lines.slice(-linesMax).map(toldLine)
  const entries = told.filter((line) => line !== undefined)
  return { lines: entries, skipped: told.length - entries.length }
}

const endOf = async (file: string): Promise<string> => {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const from = Math.max(0, size - readBytesMax)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from)
    const text = buffer.toString('utf8', 0, bytesRead)
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    await handle.close()
  }
}

type Fields = Readonly<Record<string, unknown>>

const toldLine = (line: string): object | undefined => {
  const fields = parsed(line)
  if (!fields) return undefined
  const { time, level, msg, err, ...rest } = fields
  if (typeof msg !== 'string' || typeof level !== 'string' || typeof time !== 'string') return undefined
  if (!/^[a-z]{4,6}$/.test(level) || !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time)) return undefined
  const error = toldError(err, causesMax)
  return { time, level, ...toldMessage(msg, rest), ...plainFields(rest), ...(error && { err: error }) }
}

const parsed = (line: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

/** A line with a code repeats what a caller or a plugin was told; every other begins with a fixed text, to its first colon. */
const toldMessage = (msg: string, { code }: Fields): object =>
  code === undefined ? { msg: msg.split(':')[0]?.slice(0, 200) } : {}

/** In these stand words of ours. */
const ourWords = /^(code|method|reason|signal|status|type|task|taskType|state)$/

const plainFields = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) =>
        /^[a-zA-Z]{1,32}$/.test(name) &&
        (typeof value === 'boolean' ||
          (typeof value === 'number' && !/id$/i.test(name)) ||
          (typeof value === 'string' && ourWords.test(name) && /^[A-Za-z_]{1,40}$/.test(value))),
    ),
  )

const toldError = (error: unknown, causesLeft: number): object | undefined => {
  if (typeof error !== 'object' || error === null || causesLeft === 0) return undefined
  const { name, code, stack, cause } = error as Fields
  const of = toldError(cause, causesLeft - 1)
  return {
    ...(typeof name === 'string' && /^\w{1,64}$/.test(name) && { name }),
    ...(typeof code === 'string' && /^\w{1,64}$/.test(code) && { code }),
    ...(typeof stack === 'string' && { at: framesOf(stack) }),
    ...(of && { cause: of }),
  }
}

/** What was called is named, and where it stands by the last part of its path. */
const framesOf = (stack: string): string[] =>
  stack
    .split('\n')
    .map((line) => /^\s+at (?:(?:async )?([\w.<>$]+) \()?(\S+?):(\d+):(\d+)\)?$/.exec(line))
    .flatMap((frame) => (frame ? [`${frame[1] ?? ''} ${basename(frame[2] ?? '')}:${frame[3]}:${frame[4]}`.trim()] : []))
    .slice(0, framesMax)
