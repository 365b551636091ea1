import { type LogLevel, logLevels } from './protocol/index.ts'

const lineCharactersMax = 8_192
/** A shorter value would blacken half of every line. */
const secretCharactersMin = 4

/** Lines on standard error, which is where a host looks for them: standard output belongs to the protocol. */
export interface Log {
  readonly debug: (message: string, data?: unknown) => void
  readonly info: (message: string, data?: unknown) => void
  readonly warn: (message: string, data?: unknown) => void
  readonly error: (message: string, data?: unknown) => void
}

export interface LogSettings {
  level: LogLevel
  /** Values that are never written, wherever they stand. */
  secrets: readonly string[]
}

export const logTo = (write: (line: string) => void, settings: LogSettings): Log => {
  const at = (level: LogLevel) => (message: string, data?: unknown) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(settings.level)) return
    const line = `${level}: ${message}${data === undefined ? '' : ` ${inWords(data)}`}`
    write(`${oneLine(withoutSecrets(line, settings.secrets))}\n`)
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

const inWords = (data: unknown): string => {
  if (data instanceof Error) return data.stack ?? data.message
  try {
    return JSON.stringify(data) ?? String(data)
  } catch {
    return '(cannot be written as JSON)'
  }
}

export const withoutSecrets = (line: string, secrets: readonly string[]): string =>
  secrets
    .filter(({ length }) => length >= secretCharactersMin)
    // The spelling in JSON is removed too: a secret may hold a quotation mark.
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line)

const oneLine = (line: string): string => {
  // oxlint-disable-next-line no-control-regex -- they are what this finds
  const clean = line.replace(/\r?\n/g, ' | ').replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
  return clean.length > lineCharactersMax ? `${clean.slice(0, lineCharactersMax)}…` : clean
}
