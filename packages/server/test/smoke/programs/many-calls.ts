import { Readable } from 'node:stream'
import { runCommand } from '../../../src/commands/commands.ts'

export interface Call {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The command reads this from standard input. */
  readonly input: string
}

export interface CallEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const usualMask = 0o022

/** Each command finds what it would find if this program had been started for it alone. */
const answer = async ({ args, cwd, env, input }: Call): Promise<CallEnd> => {
  process.chdir(cwd)
  process.umask(usualMask)
  process.env = { ...env }
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) })
  const written = { stdout: '', stderr: '' }
  const restores = (['stdout', 'stderr'] as const).map((name) => {
    const { write } = process[name]
    process[name].write = (text: string | Uint8Array): boolean => {
      written[name] += String(text)
      return true
    }
    return () => {
      process[name].write = write
    }
  })
  try {
    return { code: await runCommand(args), ...written }
  } finally {
    for (const restore of restores) restore()
  }
}

// It ends by itself once nobody sends calls any more and no command has left anything open.
process.on('message', (call: Call) => {
  void answer(call).then((end) => process.send?.(end))
})
