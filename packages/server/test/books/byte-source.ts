import { randomFrom } from './pictures.ts'

/** Bytes of a test as an archive reader sees a file, with what was read of it. */
export interface BytesAsFile {
  readonly size: number
  readonly read: (position: number, length: number) => Buffer
  readonly figures: { reads: number; bytes: number }
}

export const bytesAsFile = (bytes: Buffer): BytesAsFile => {
  const figures = { reads: 0, bytes: 0 }
  return {
    size: bytes.length,
    figures,
    read: (position, length) => {
      const part = bytes.subarray(position, position + Math.max(0, length))
      figures.reads += 1
      figures.bytes += part.length
      return part
    },
  }
}

/** Copies of bytes, each with some of them changed. */
export function* mutants(bytes: Buffer, count: number, seed: number): Generator<Buffer> {
  const random = randomFrom(seed)
  for (let made = 0; made < count; made += 1) {
    const mutant = Buffer.from(bytes)
    const changes = 1 + Math.floor(random() * 4)
    for (let change = 0; change < changes; change += 1) {
      mutant[Math.floor(random() * mutant.length)] = Math.floor(random() * 256)
    }
    yield mutant
  }
}
