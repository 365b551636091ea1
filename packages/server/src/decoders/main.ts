import { flushCompileCache } from 'node:module'
import type { Fault } from '../formats/book-format.ts'
import { faultOf } from './fault.ts'
import { type Jobs, jobs } from './jobs.ts'
import { collectEarlyInDecoder } from '../platform/memory/rest.ts'
import { stepBackTo } from '../platform/processes/step-back.ts'

export interface DecoderRequest {
  readonly id: number
  readonly kind: keyof Jobs
  readonly input: unknown
}

export type DecoderReply =
  | { readonly id: number; readonly isTaken: true }
  | { readonly id: number; readonly part: unknown }
  | { readonly id: number; readonly output: unknown; readonly memoryBytes: number }
  | { readonly id: number; readonly fault: Fault; readonly memoryBytes: number }

type AnyJob = (input: unknown, emit: (part: unknown) => void) => Promise<unknown>

const tell = (reply: DecoderReply): void => {
  process.send?.(reply, undefined, undefined, () => undefined)
}

const work = async ({ id, kind, input }: DecoderRequest): Promise<void> => {
  const memory = () => ({ memoryBytes: process.memoryUsage.rss() })
  try {
    tell({ id, isTaken: true })
    const run = jobs[kind] as unknown as AnyJob
    const output = await run(input, (part) => tell({ id, part }))
    tell({ id, output, ...memory() })
  } catch (error) {
    tell({ id, fault: faultOf(error), ...memory() })
  }
}

/** Reads of files are short and soon forgotten: pieces of one large buffer cost less than a thousand small ones. */
const poolBytes = 256 * 1024

if (process.send) {
  Buffer.poolSize = poolBytes
  stepBackTo(Number(process.argv[2] ?? 0))
  process.on('message', (request: DecoderRequest) => void work(request))
  process.once('disconnect', () => process.exit(0))
  // Whoever is done with a decoder kills it, and then nothing of what it has compiled would be kept for the next.
  flushCompileCache()
  // What a book leaves behind is of no use to the next.
  collectEarlyInDecoder()
}
