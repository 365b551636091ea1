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

/** Whether this viewer sees all of every library that is visible at all: what is kept of a library needs no counting. */
export const seesWholeLibraries = (viewer: Viewer): boolean =>
  seesWholeSeries(viewer) && viewer.rule.allowTags.length === 0 && viewer.rule.denyTags.length === 0

/** Whether nothing at all is hidden from this viewer. */
export const seesEverything = (viewer: Viewer): boolean =>
  viewer.rule.libraries === 'all' && viewer.deletedLibraries.length === 0 && seesWholeLibraries(viewer)

/** The same of series: only ages tell books of one series apart. */
export const seesWholeSeries = ({ rule }: Pick<Viewer, 'rule'>): boolean => rule.ageCeiling === null

/** It is as much of a viewer as decides which books of a series they see; nothing of those who see all of it. */
export type Sight = Pick<Viewer, 'rule' | 'deletedLibraries'>

export const sightOf = (viewer: Viewer): Sight | undefined =>
  seesWholeSeries(viewer) ? undefined : { rule: viewer.rule, deletedLibraries: viewer.deletedLibraries }

/** The same viewer, looking at one library only. */
export const narrowedTo = (viewer: Viewer, libraryId: string): Viewer => {
  const { libraries } = viewer.rule
  const isTheirs = libraries === 'all' || libraries.includes(libraryId)
  return { ...viewer, rule: { ...viewer.rule, libraries: isTheirs ? [libraryId] : [] } }
}

/** The same viewer, looking at some libraries only. */
export const amongLibraries = (viewer: Viewer, libraryIds: readonly string[]): Viewer => {
  const { libraries } = viewer.rule
  const theirs = libraries === 'all' ? libraryIds : libraryIds.filter((id) => libraries.includes(id))
  return { ...viewer, rule: { ...viewer.rule, libraries: [...new Set(theirs)] } }
}

/** Above this number of libraries a list is read in its order, and hidden rows are skipped. */
export const librariesInOrderMax = 8

/**
 * Somebody who sees a few libraries, as somebody who looks at each: a list in order is then merged from the indexes of
 * those libraries, however little they are beside the others.
 */
export const libraryByLibrary = (viewer: Viewer): readonly Viewer[] => {
  const { libraries } = viewer.rule
  if (libraries === 'all' || libraries.length < 2 || libraries.length > librariesInOrderMax) return [viewer]
  return libraries.map((id) => narrowedTo(viewer, id))
}
