import type { ErrorCode } from '@carrel/api'
import type { Because } from '../../../platform/errors.ts'
import type { MadeBackup, MakeBackup } from '../make.ts'
import type { BackupProgress } from '../progress.ts'

export type ToMaker = { readonly kind: 'make'; readonly options: MakeBackup }

export type FromMaker =
  | { readonly kind: 'progress'; readonly progress: BackupProgress }
  | { readonly kind: 'made'; readonly made: MadeBackup }
  | Failed

/** An error with a code is something an operator can act on, any other is a bug. */
export interface Failed extends Partial<Because> {
  readonly kind: 'failed'
  readonly message: string
  readonly code?: ErrorCode
}
