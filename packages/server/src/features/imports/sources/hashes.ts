import { createHash, hash } from 'node:crypto'
import { zipDirectoryOf } from '../../../formats/archive/zip.ts'
import { openEpubFiles } from '../../../formats/epub/files.ts'
import { readPackage } from '../../../formats/epub/package.ts'
import { koreaderFingerprint } from '../../../formats/fingerprints.ts'
import type { LibraryFile } from '../../../platform/storage/library-files.ts'
import type { HashKind } from '../records.ts'
import { xxh3 } from './xxh3.ts'

type Readable = Pick<LibraryFile, 'size' | 'read'>

const pieceBytes = 1024 * 1024

/** How each kind is made of one of our files; a kind that is not among these cannot be compared yet. */
const hashes: Partial<Record<HashKind, (file: Readable) => string | undefined>> = {
  sha256: (file) => hashFile(file, 'sha256'),
  sha1: (file) => hashFile(file, 'sha1'),
  md5: (file) => hashFile(file, 'md5'),
  'xxh3-128': xxh3,
  'sha256-1mib': (file) => hash('sha256', file.read(0, 1024 * 1024)),
  'sha1-512000': (file) => hash('sha1', file.read(0, 512_000)),
  koreader: koreaderFingerprint,
  'koreader-komga': (file) => hash('md5', Buffer.concat(samplesWithOlderBytes(file))),
  stump: (file) => hash('sha256', Buffer.concat(piecesOfStump(file))),
  'koreader-stump': (file) => hash('md5', Buffer.concat(koreaderSamples(file).map((sample) => padded(sample)))),
}

export const hashOf = (kind: HashKind, file: Readable): string | undefined => hashes[kind]?.(file)

const hashFile = (file: Readable, algorithm: string): string => {
  const digest = createHash(algorithm)
  for (let position = 0; position < file.size; position += pieceBytes) digest.update(file.read(position, pieceBytes))
  return digest.digest('hex')
}

const sampleBytes = 1024
const samplesMax = 12

const koreaderSamples = (file: Readable): Buffer[] => {
  const samples: Buffer[] = []
  for (let start = 0, offset = 0; start < samplesMax && offset < file.size; start += 1) {
    samples.push(file.read(offset, sampleBytes))
    offset = sampleBytes * 4 ** start
  }
  return samples
}

const padded = (sample: Buffer): Buffer => paddedTo(sampleBytes, sample)

/** Komga reads into one buffer: a short read leaves what the read before had there. */
const samplesWithOlderBytes = (file: Readable): Buffer[] => {
  let buffer: Buffer = Buffer.alloc(sampleBytes)
  return koreaderSamples(file).map((sample) => {
    buffer = Buffer.concat([sample, buffer.subarray(sample.length)])
    return buffer
  })
}

const membersCounted = 6
const wholeMax = 40_000
const pieceOfStump = 10_000

/** It takes as many bytes of the file as its first members have when unpacked; of many, five pieces. */
const piecesOfStump = (file: Readable): Buffer[] => {
  const sizes = sizesInEpub(file) ?? zipDirectoryOf(file).entries.map(({ size }) => size)
  const length = sizes.slice(0, membersCounted).reduce((sum, size) => sum + size, 0)
  if (length <= wholeMax) return [paddedTo(length, file.read(0, length))]
  const quarter = Math.floor(length / 4)
  const offsets = [0, quarter, Math.floor(length / 2), 3 * quarter, length - pieceOfStump]
  return offsets.map((offset) => paddedTo(pieceOfStump, file.read(offset, pieceOfStump)))
}

const sizesInEpub = (file: Readable): number[] | undefined => {
  const files = openEpubFiles(file)
  if (!files.has('META-INF/container.xml')) return undefined
  return readPackage(files).spine.map(({ item }) => files.entry(item.path)?.size ?? 0)
}

const paddedTo = (length: number, bytes: Buffer): Buffer =>
  bytes.length >= length ? bytes : Buffer.concat([bytes, Buffer.alloc(length - bytes.length)])
