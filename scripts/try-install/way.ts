export interface Way {
  readonly name: string
  /** Programs that this machine must have. */
  readonly needs: readonly string[]
  /** It says what else this machine lacks. */
  readonly lacks?: () => readonly string[]
  /** It makes what is installed, in a folder, and returns the file. */
  readonly make: (out: string) => Promise<string>
  /** It goes from nothing to a comic on the screen, in an empty folder of its own, and fails with what was in the way. */
  readonly tryOut: (file: string, folder: string, step: (what: string) => void) => Promise<void>
}
