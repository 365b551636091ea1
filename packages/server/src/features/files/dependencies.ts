import type { Context } from '../../context.ts'
import type { LibraryReads } from '../../platform/storage/library-reads.ts'
import type { PageReading } from '../pages/pages.ts'
import type { Embedding } from './embedding.ts'

/** Files are sent with these. */
export interface FileDependencies {
  readonly libraryReads: LibraryReads
  readonly pages: PageReading
  readonly embedding: Embedding
}

export interface FileContext extends Pick<Context, 'db'>, FileDependencies {}
