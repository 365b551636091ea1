export interface Shortcut {
  /**
   * Keys are written as in `KeyboardEvent.key`: `/`, `?`, `ArrowLeft`; two in a row have a space between them: `g h`.
   */
  readonly keys: string
  /** The overlay shows it. */
  readonly label: string
  readonly run: () => void
}

export interface ShortcutGroup {
  readonly title: string
  readonly shortcuts: readonly Shortcut[]
}
