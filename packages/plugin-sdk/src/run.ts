import type { Plugin } from './define-plugin.ts'
import { type Streams, openSession } from './session.ts'

/** Speaks with the host over the standard streams until it is asked to end, and ends the process. The last line of a plugin. */
export const run = (plugin: Plugin): void => {
  const { flushed, ...streams } = takeStandardStreams()
  const { over, end } = openSession(plugin, streams)
  const leave = (): void => void flushed().then(() => process.exit(0))
  void over.then(leave)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end().then(leave))
  // Nobody is left to read the output.
  process.stdout.once('error', () => process.exit(0))
}

const takeStandardStreams = (): Streams & { readonly flushed: () => Promise<void> } => {
  const { stdin, stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  // Anything a library prints would stand between the messages: it becomes a line of the log.
  stdout.write = stderr.write.bind(stderr)
  return {
    input: stdin,
    write: (line) => void write(line),
    writeLog: (line) => void stderr.write(line),
    environment: process.env,
    flushed: () => new Promise((resolve) => void write('', () => resolve())),
  }
}
