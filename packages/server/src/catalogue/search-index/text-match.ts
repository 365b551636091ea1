import type { Database } from '../../database/database.ts'
import type { TextMatch } from '../../filtering/filtering.ts'
import type { Viewer } from '../visibility/visibility.ts'
import { findGroups, prepareQuery } from './find.ts'
import { beginsIn, foundIn, nothingFound, relevanceOf } from './queries.ts'

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
  if (!query) return nothingFound
  const exact = await findGroups(db, viewer, { query, groups: query.exact }, { [target]: 1 })
  const groups = exact.get(target)?.length ? query.exact : await query.forgiving()
  if (!groups) return nothingFound
  const found = db.dialect.textIndex.found(`${target}_search`, groups)
  const search = { target, text: query.text, patterns: query.patterns, found }
  return { where: foundIn(search), relevance: relevanceOf(search), begins: beginsIn(search) }
}
