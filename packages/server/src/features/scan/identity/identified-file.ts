import type { FileInRoot } from '../../../catalogue/shown/shown.ts'
import type { Analysis } from '../../../decoders/analyse.ts'
import type { Fault } from '../../../formats/book-format.ts'
import type { WalkedFile } from '../walker/messages.ts'

/** What has become of one file: the book it is, and where it lies now. */
export interface IdentifiedFile {
  readonly rootId: string
  readonly walked: WalkedFile
  /** Undefined: a new one. */
  readonly bookId: string | undefined
  /** Read already, because it had to be known which book it is. */
  readonly analysed?: { readonly analysis: Analysis } | { readonly fault: Fault } | undefined
  /** `same`: only its times have changed, or how it is packed. `moved` and `restored` may hold new content as well. */
  readonly change: 'new' | 'same' | 'moved' | 'restored' | 'replaced'
  /** What was read of it before does not hold any more. */
  readonly isNewContent: boolean
  /** Another book may have had this path. */
  readonly mayBeTaken?: boolean
}

export const fileAt = (rootId: string, [folder, name]: WalkedFile): FileInRoot => ({ rootId, folder, name })
