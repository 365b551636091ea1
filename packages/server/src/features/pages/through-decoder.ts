import { BookFault, type Fault } from '../../formats/book-format.ts'
import { AppError } from '../../platform/errors.ts'
import type { LibraryReads } from '../../platform/storage/library-reads.ts'
import { damaged, type ReadableBook } from './readable-book.ts'

export interface DecoderUse {
  readonly libraryReads: LibraryReads
  /** A book has ended a decoder, or has taken all that one may, by itself and not by the storage it lies on. */
  readonly noteCostly: (bookId: string, fault: Fault) => Promise<void>
}

/**
 * It runs once it is known that the storage answers: a decoder that hangs there would keep others from their work. A
 * book that crashes its decoder, or takes all the time or memory it may, is remembered, so that it does not do so at
 * every request (LIB-7).
 */
export const throughDecoder =
  ({ libraryReads, noteCostly }: DecoderUse) =>
  async <Result>({ id, file }: Pick<ReadableBook, 'id' | 'file'>, work: () => Promise<Result>): Promise<Result> => {
    await libraryReads.probe(file.rootId, file.path)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof BookFault)) throw error
      if (error.wasCostly) {
        // Storage that has stopped answering meanwhile is no fault of the book.
        await libraryReads.probe(file.rootId, file.path)
        await noteCostly(id, { code: error.code, message: error.message })
      }
      throw asAppError(error)
    }
  }

/** An error of the file is reported as that; a passing error may not occur the next time. */
const asAppError = (error: BookFault): AppError =>
  error.code === 'unreadable' || error.code === 'timeout'
    ? new AppError('unavailable', error.message, { cause: error, retryAfterSeconds: 5 })
    : damaged(error.message, { cause: error })
