export type Subject = 'library' | 'series' | 'book' | 'collection' | 'readList'

/** The differential test requests one endpoint like this. */
export interface Inputs {
  /** The answer comes from files, and there are none here: the test only checks that hidden content is missing. */
  readonly readsFiles?: true
  /** It is found as its metadata is, for which every id is tried: these are asked for some. */
  readonly few?: true
  /** The answer is as for somebody who may change nothing, whoever asks: what is empty is not there. */
  readonly asReader?: true
  /** Its `id` names this kind of thing; absent when it takes none. */
  readonly of?: Subject
  /** The answer depends on more than its id. */
  readonly mayBeNothing?: true
  readonly queries?: readonly string[]
  /** The endpoint takes a body. */
  readonly bodies?: readonly object[]
}
