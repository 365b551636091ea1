/**
 * A number for each kind of thing that processes keep in memory and others may change: who may do what, and the
 * settings. Whoever changes one raises its number in the same transaction; whoever keeps a copy compares.
 */
export interface Revisions {
  readonly access: number
  readonly settings: number
}

export interface OwnTables {
  revision: { name: keyof Revisions; value: number }
  /**
   * A text that was never there before for everybody (an empty name) and for each reader: whoever changes what may be shown
   * to them writes another one in the same transaction.
   */
  change_mark: { reader: string; value: string }
  /** All nodes must know it, and nobody else. */
  secret: { name: string; value: string }
}
