export interface Shortcut {
  /** As `KeyboardEvent.key` says it: `/`, `?`, `ArrowLeft`; two in a row with a space between: `g h`. */
  readonly keys: string
  /** What it does, for the overlay. */
  readonly label: string
  readonly run: () => void
}

export interface ShortcutGroup {
  readonly title: string
  readonly shortcuts: readonly Shortcut[]
}
