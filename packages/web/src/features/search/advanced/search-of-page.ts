import type { ConditionTarget } from '@carrel/api'

export interface AdvancedSearch {
  readonly of: ConditionTarget
  /** The condition, in the words of condition-text.ts. */
  readonly where?: string | undefined
  readonly q?: string | undefined
  readonly sort?: string | undefined
  readonly preset?: string | undefined
  readonly page?: number | undefined
}
