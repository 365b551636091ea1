import type { FileFormat } from '@carrel/api'
import type { Context } from '../../context.ts'
import type { Embedded } from '../../decoders/embed.ts'
import type { Piece } from '../../formats/archive/zip-splice.ts'
import type { ShownBook } from '../../formats/metadata/shown-book.ts'
import { AppError } from '../../platform/errors.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { shareInFlight } from '../../platform/share.ts'
import { fileStream } from '../../platform/storage/file-stream.ts'
import type { HeldFile } from '../../platform/storage/library-reads.ts'
import { type DecoderUse, type ReadableBook, throughDecoder } from '../pages/pages.ts'
import { versionOf } from './version-of.ts'

export type BookToEmbed = Pick<ReadableBook, 'id' | 'file' | 'format' | 'isFolder' | 'isAnalysed'>

export interface EmbeddedFile {
  readonly pieces: readonly Piece[]
  readonly size: number
  /** It changes with the file, and with what is shown of the book. */
  readonly version: string
}

/** Files with the metadata of their books in them. */
export interface Embedding {
  /** Undefined when the file has no place for it, or cannot be read. */
  of(book: BookToEmbed, shown: ShownBook): Promise<EmbeddedFile | undefined>
}

const jobMaxMs = 20_000
/** The cache holds books that are downloaded part by part. */
const keptMax = 100
const keptBytesMax = 128 * 1024
/** It is raised when the same metadata are written in another way. */
const form = 1

interface EmbeddingContext extends Pick<Context, 'decoders'>, DecoderUse {
  /** A file of this digest is on its way to somebody. */
  readonly noteSent: (bookId: string, koreader: string) => Promise<void>
}

export const metadataEmbedding = ({ decoders, noteSent, ...use }: EmbeddingContext): Embedding => {
  const run = throughDecoder(use)
  const share = shareInFlight<Embedded | undefined>()
  const cache = new BoundedMap<Embedded>(keptMax)
  const make = async (book: BookToEmbed, format: 'cbz' | 'epub', shown: ShownBook): Promise<Embedded | undefined> => {
    const { path, size, modifiedUs } = book.file
    const input = { path, format, size, modifiedUs, shown }
    try {
      const made = await run(book, () => decoders.run('embed', input, { urgent: true, silenceMaxMs: jobMaxMs }))
      if (made.koreader !== null) await noteSent(book.id, made.koreader)
      return made
    } catch (error) {
      // A book that cannot be opened can still be downloaded.
      if (error instanceof AppError && error.code === 'damaged_file') return undefined
      throw error
    }
  }
  return {
    of: async (book, shown) => {
      const { format, file } = book
      if (!isEmbeddable(book) || (format !== 'cbz' && format !== 'epub')) return undefined
      const version = versionOf([form, file.path, file.size, file.modifiedUs, shown])
      const embedded = cache.get(version) ?? (await share(version, () => make(book, format, shown)))
      if (!embedded?.pieces) return undefined
      if (newBytesOf(embedded.pieces) <= keptBytesMax) cache.set(version, embedded)
      return { pieces: embedded.pieces, size: embedded.size, version }
    },
  }
}

const embeddable: ReadonlySet<FileFormat> = new Set(['cbz', 'epub', 'folder'])

/** Nothing is known yet of a book whose file has not been read: there is nothing to write. */
export const isEmbeddable = ({ format, isAnalysed }: Pick<BookToEmbed, 'format' | 'isAnalysed'>): boolean =>
  isAnalysed && embeddable.has(format)

const newBytesOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, piece) => sum + ('bytes' in piece ? piece.bytes.length : 0), 0)

/** The bytes from one place up to, not with, another of what the pieces are together. */
export async function* streamPieces(
  held: HeldFile,
  pieces: readonly Piece[],
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  let offset = 0
  for (const piece of pieces) {
    const length = 'bytes' in piece ? piece.bytes.length : piece.to - piece.from
    const begin = Math.max(0, from - offset)
    const end = Math.min(length, to - offset)
    if (begin < end && 'bytes' in piece) yield bufferOf(piece.bytes).subarray(begin, end)
    else if (begin < end && 'from' in piece) yield* fileStream(held, piece.from + begin, piece.from + end)
    offset += length
  }
}

/** Bytes that come from another process are no buffer. */
const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
