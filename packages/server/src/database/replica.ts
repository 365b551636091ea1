export interface ReplicaAddress {
  readonly url: string
  /** It is not asked when it has lacked something for longer. */
  readonly lagMs: number
}

/** What somebody may be shown, as of the mark that `changeMark` told of them. */
export interface Moment {
  readonly reader: string
  readonly mark: string
}

export interface ReplicaState {
  /**
   * `unknown`: nobody has looked yet. `unfit`: what answers there follows nothing, or hides which server answers.
   */
  readonly status: 'unknown' | 'follows' | 'behind' | 'away' | 'unfit'
  /** It says what is wrong. */
  readonly detail?: string
  /** For so long the replica has lacked something; undefined where that cannot be known. */
  readonly behindMs?: number | undefined
}

export interface ReplicaFigures extends ReplicaState {
  /** Statements that it has answered. */
  readonly answered: number
  /** Statements that could have been asked there, and were asked of the database itself. */
  readonly leftToPrimary: number
}

/** A server that follows the one where things are changed (decision 077). */
export interface Replica {
  /**
   * What `work` reads is read there where that shows all that this reader may be shown as of this moment, and from the database itself
   * otherwise. `work` may change things: from then on the database itself is asked.
   */
  readAsOf<Result>(moment: Moment, work: () => Promise<Result>): Promise<Result>
  figures(): ReplicaFigures
}
