import type { Viewer } from '../visibility/visibility.ts'

/** What a viewer's access comes to, to be compared: what was written for another one is not theirs to fetch. */
export const sightOf = ({ rule, deletedLibraries, seesPaths }: Viewer): string =>
  JSON.stringify([
    rule.libraries === 'all' ? { allBut: deletedLibraries.toSorted() } : standing(rule.libraries, deletedLibraries),
    rule.ageCeiling,
    rule.includeUnrated,
    rule.allowTags.toSorted(),
    rule.denyTags.toSorted(),
    seesPaths,
  ])

const standing = (libraries: readonly string[], deleted: readonly string[]): string[] =>
  libraries.filter((id) => !deleted.includes(id)).toSorted()
