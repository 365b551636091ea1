import type { ViewRule } from '../access/access.ts'

/** Somebody who looks, with what they may see. */
export interface Viewer {
  readonly userId: string
  readonly rule: ViewRule
  /** Nobody sees anything of them (decision 019). */
  readonly deletedLibraries: readonly string[]
  /** Server paths are told to those who manage libraries. */
  readonly seesPaths: boolean
}
