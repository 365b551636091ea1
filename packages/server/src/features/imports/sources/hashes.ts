import { createHash, hash } from 'node:crypto'
import { koreaderFingerprint } from '../../../formats/fingerprints.ts'
import type { LibraryFile } from '../../../platform/storage/library-files.ts'
import type { HashKind } from '../records.ts'
import { stumpHash } from './stump-hash.ts'
import { xxh3 } from './xxh3.ts'

type Readable = Pick<LibraryFile, 'size' | 'read'>

const pieceBytes = 1024 * 1024

/** How each kind is made of one of our files; a kind that is not among these cannot be compared yet. */
const hashes: Partial<Record<HashKind, (file: Readable) => string | undefined>> = {
  sha256: (file) => whole(file, 'sha256'),
  sha1: (file) => whole(file, 'sha1'),
  md5: (file) => whole(file, 'md5'),
  'xxh3-128': xxh3,
  'sha256-1mib': (file) => hash('sha256', file.read(0, 1024 * 1024)),
  'sha1-512000': (file) => hash('sha1', file.read(0, 512_000)),
  koreader: koreaderFingerprint,
  'koreader-komga': (file) => hash('md5', Buffer.concat(samplesWithOlderBytes(file))),
  'koreader-stump': (file) => hash('md5', Buffer.concat(koreaderSamples(file).map((sample) => padded(sample)))),
  stump: stumpHash,
}

export const hashOf = (kind: HashKind, file: Readable): string | undefined => hashes[kind]?.(file)

const whole = (file: Readable, algorithm: string): string => {
  const digest = createHash(algorithm)
  for (let position = 0; position < file.size; position += pieceBytes) digest.update(file.read(position, pieceBytes))
  return digest.digest('hex')
}

const sampleBytes = 1024
const samplesMax = 12

const koreaderSamples = (file: Readable): Buffer[] => {
  const samples: Buffer[] = []
  for (let place = 0, offset = 0; place < samplesMax && offset < file.size; place += 1) {
    samples.push(file.read(offset, sampleBytes))
    offset = sampleBytes * 4 ** place
  }
  return samples
}

const padded = (sample: Buffer): Buffer => Buffer.concat([sample, Buffer.alloc(sampleBytes - sample.length)])

/** Komga reads into one buffer: a short read leaves what the read before had there. */
const samplesWithOlderBytes = (file: Readable): Buffer[] => {
  let buffer: Buffer = Buffer.alloc(sampleBytes)
  return koreaderSamples(file).map((sample) => {
    buffer = Buffer.concat([sample, buffer.subarray(sample.length)])
    return buffer
  })
}
