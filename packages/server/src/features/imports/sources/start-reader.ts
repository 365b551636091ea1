import { startAnsweringChild } from '../../../platform/processes/ask-child.ts'
import { type AddressSource, type ForeignRecord, type HashKind, SourceFault } from '../records.ts'
import type { FileToHash, FromReader, SourceToOpen, ToReader } from './reader/messages.ts'

interface ReaderOptions {
  readonly signal: AbortSignal
  /** One that says nothing for so long is ended. */
  readonly silenceMaxMs?: number
  /** Another program in its place, for tests. */
  readonly program?: URL
  /** It asks the other server, where that is read while it runs. */
  readonly get?: AddressSource['get']
}

/** It reads a store in a process of its own, which ends with whoever waits for it. */
export interface SourceReader extends Disposable {
  open(source: SourceToOpen): Promise<void>
  /** The next records; undefined: there are no more. */
  next(): Promise<readonly ForeignRecord[] | undefined>
  cover(ref: string): Promise<Uint8Array | undefined>
  /** Hashes of one of our files; none where it cannot be read. */
  hash(file: FileToHash): Promise<readonly { readonly kind: HashKind; readonly value: string }[]>
}

/** A check of a database of several gigabytes says nothing until it is over. */
const usualSilenceMaxMs = 10 * 60 * 1000

// From the sources it runs the .ts file, from the bundle the .js file beside the bundle.
const ownProgram = new URL(import.meta.url.endsWith('.ts') ? './reader/main.ts' : './source-reader.js', import.meta.url)

export const startReader = ({
  signal,
  silenceMaxMs = usualSilenceMaxMs,
  program = ownProgram,
  get,
}: ReaderOptions): SourceReader => {
  const child = startAnsweringChild<ToReader, FromReader>({ signal, silenceMaxMs, program, endedBecause })
  const ask = async (message: ToReader): Promise<FromReader> => {
    let answer = await child.ask(message)
    while (answer.kind === 'wanted') {
      if (!get) throw new Error('There is no server to ask')
      const { status, body } = await get(answer.path)
      answer = await child.ask({ kind: 'got', status, body })
    }
    if (answer.kind === 'fault') throw new SourceFault(answer.code, answer.message)
    if (answer.kind === 'failed') throw new Error(answer.message)
    return answer
  }
  return {
    open: async (source) => void (await ask({ kind: 'open', source })),
    next: async () => {
      const answer = await ask({ kind: 'next' })
      return answer.kind === 'records' ? answer.records : undefined
    },
    cover: async (ref) => {
      const answer = await ask({ kind: 'cover', ref })
      return answer.kind === 'cover' ? answer.bytes : undefined
    },
    hash: async (file) => {
      const answer = await ask({ kind: 'hash', file }).catch((error: unknown) => {
        signal.throwIfAborted()
        if (error instanceof SourceFault) throw error
        return undefined
      })
      return answer?.kind === 'hashes' ? answer.values : []
    },
    [Symbol.dispose]: () => child[Symbol.dispose](),
  }
}

const endedBecause = (cause: Error): SourceFault =>
  new SourceFault('damaged', 'This could not be read to its end: it takes too much memory or time, or is damaged.', {
    cause,
  })
