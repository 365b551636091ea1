import type { Viewer } from '../../catalogue/visibility/visibility.ts'

/** It turns a viewer's access into a text to compare: an export made for other rights is not theirs to fetch. */
export const accessKeyOf = ({ rule, deletedLibraries, seesPaths, hidesReading }: Viewer): string =>
  JSON.stringify([
    rule.libraries === 'all' ? { allBut: deletedLibraries.toSorted() } : standing(rule.libraries, deletedLibraries),
    rule.ageCeiling,
    rule.includeUnrated,
    rule.allowTags.toSorted(),
    rule.denyTags.toSorted(),
    seesPaths,
    ...(hidesReading ? ['without what they have read'] : []),
  ])

const standing = (libraries: readonly string[], deleted: readonly string[]): string[] =>
  libraries.filter((id) => !deleted.includes(id)).toSorted()
