/** A root whose folders are watched. */
export interface WatchedRoot {
  readonly id: string
  readonly path: string
  readonly exclude: readonly string[]
  /** Extensions of books, lower case and with their dot. */
  readonly extensions: readonly string[]
}

export type ToWatcher =
  | { readonly kind: 'watch'; readonly root: WatchedRoot }
  | { readonly kind: 'leave'; readonly rootId: string }
  /** Look whether roots are still what they were. */
  | { readonly kind: 'check' }

/** Why no more folders can be watched. */
export type Limit = 'system' | 'memory'

export type FromWatcher =
  /** The storage of this root is asked from now on: whoever hears nothing more may take it for hung. */
  | { readonly kind: 'busy'; readonly rootId: string }
  | { readonly kind: 'turning' }
  | { readonly kind: 'free' }
  | { readonly kind: 'watched'; readonly rootId: string; readonly folders: number }
  /** Its storage belongs to another machine, which tells us of nothing. */
  | { readonly kind: 'remote'; readonly rootId: string }
  /** Something has happened in these folders; relative to the root, with a slash at the end; empty for the root. */
  | { readonly kind: 'touched'; readonly rootId: string; readonly folders: readonly string[] }
  | { readonly kind: 'limited'; readonly by: Limit; readonly folders: number }
