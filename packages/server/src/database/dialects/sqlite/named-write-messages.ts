import type { AppError } from '../../../platform/errors.ts'
import type { Topic } from '../../wake-ups.ts'

export interface NamedWriteOptions {
  /** The address of the module that exports `namedWrites`. */
  readonly modules: string
  /** The statements are told with the outcome. */
  readonly isTraced: boolean
}

export interface NamedWriteCall {
  readonly name: string
  readonly input: unknown
}

export interface TracedStatement {
  readonly sql: string
  readonly ms: number
}

/** How a write ended. Errors do not change threads as they are. */
export type WriteOutcome = (
  | { readonly result: unknown; readonly topics: readonly Topic[] }
  | { readonly refusal: Pick<AppError, 'code' | 'message' | 'details' | 'retryAfterSeconds' | 'reason' | 'values'> }
  | { readonly failure: { readonly message: string; readonly code: string; readonly stack: string | undefined } }
) & { readonly statements?: readonly TracedStatement[] }

export type NamedWritesRunner = (calls: readonly NamedWriteCall[]) => Promise<readonly WriteOutcome[]>
