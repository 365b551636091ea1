export type Subject = 'library' | 'series' | 'book' | 'collection' | 'readList'

/** How the differential test asks one endpoint. */
export interface Inputs {
  /** What it answers stands in files, and there are none here: only that hidden content is not there is looked at. */
  readonly readsFiles?: true
  /** It is found as its metadata is, for which every id is tried: these are asked for some. */
  readonly few?: true
  /** Shown as to somebody who may change nothing, whoever asks: what is empty is not there. */
  readonly asReader?: true
  /** What its `id` names; absent: it takes none. */
  readonly of?: Subject
  readonly queries?: readonly string[]
  /** Of one that is asked with a body. */
  readonly bodies?: readonly object[]
}
