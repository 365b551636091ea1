import type { Database } from '../../database/database.ts'
import type { TextMatch } from '../../filtering/filtering.ts'
import type { Viewer } from '../visibility/visibility.ts'
import { findGroups, prepareQuery, type Query } from './find.ts'
import { beginsIn, isAmongMatches, noMatches, rankedMatch, relevanceOf, selectIsAnyShown } from './queries.ts'

/** What is searched, and whether mistakes are forgiven there. */
export interface SearchSource {
  readonly db: Database
  readonly settings: { get(key: 'search.fuzzy.enabled'): boolean }
}

/**
 * For a list, which has more to ask of its rows. Mistakes are forgiven where this viewer would find nothing without that:
 * beside what holds the word itself, what holds another is no answer. Undefined: there is nothing to look for.
 */
export const textMatch = async (
  { db, settings }: SearchSource,
  viewer: Viewer,
  target: 'series' | 'book',
  text: string | undefined,
): Promise<TextMatch | undefined> => {
  if (text === undefined || text.trim() === '') return undefined
  const query = await prepareQuery(db, text, settings.get('search.fuzzy.enabled'))
  if (!query) return noMatches
  const { textIndex } = db.dialect
  const table = `${target}_search`
  const ranked = textIndex.ranked(table, query.exact)
  const isThere = ranked
    ? await selectIsAnyShown(db.readSlowly, { target, matches: textIndex.matching(table, query.exact) }, viewer)
    : await isAnyFound(db, viewer, target, query)
  const groups = isThere ? query.exact : await query.forgiving()
  if (!groups) return noMatches
  const search = { target, text: query.text, patterns: query.patterns, matches: textIndex.matching(table, groups) }
  return {
    where: isAmongMatches(search),
    relevance: relevanceOf(search),
    begins: beginsIn(search),
    ranked: isThere && ranked ? rankedMatch(search, ranked) : undefined,
  }
}

const isAnyFound = async (db: Database, viewer: Viewer, target: 'series' | 'book', query: Query): Promise<boolean> => {
  const exact = await findGroups(db, viewer, { query, groups: query.exact }, { [target]: 1 })
  return (exact.get(target)?.length ?? 0) > 0
}
