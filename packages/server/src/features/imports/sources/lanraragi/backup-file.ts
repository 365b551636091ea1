import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { SourceFault } from '../../records.ts'
import { type Entry, splitEntries } from './entries.ts'

/** A hundred thousand archives take some 50 MiB. */
const fileBytesMax = 512 * 1024 * 1024

export async function* readEntries(path: string, names: ReadonlySet<string>): AsyncGenerator<Entry> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile()) throw new SourceFault('not_found', 'There is no such file, or it cannot be read.')
  if (stats.size > fileBytesMax) throw new SourceFault('too_large', 'This backup is larger than 512 MiB.')
  const splitter = splitEntries(names)
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 256 * 1024 })
  for await (const chunk of chunks) yield* splitter.take(chunk)
  splitter.end()
}
