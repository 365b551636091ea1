/** What decides which content somebody may see, all groups taken together. */
export interface ViewRule {
  readonly libraries: 'all' | readonly string[]
  readonly ageCeiling: number | null
  readonly includeUnrated: boolean
  /** Any makes it a white list. */
  readonly allowTags: readonly string[]
  /** Wins over what is allowed. */
  readonly denyTags: readonly string[]
}

/** Somebody who looks, with what they may see. */
export interface Viewer {
  readonly userId: string
  readonly rule: ViewRule
  /** Nobody sees anything of them (decision 019). */
  readonly deletedLibraries: readonly string[]
  /** Server paths are told to those who manage libraries. */
  readonly seesPaths: boolean
  /** A key without `progress:read` asks: everything is shown as to somebody who has read nothing yet (decision 037). */
  readonly hidesReading?: boolean
}
