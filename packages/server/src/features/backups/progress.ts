export interface BackupProgress {
  /** It names the present step in a word. */
  readonly step: string
  readonly done: number
  /** Undefined: not known. */
  readonly total: number | undefined
}

export type OnProgress = (progress: BackupProgress) => void
