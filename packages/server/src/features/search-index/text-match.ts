import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Viewer } from '../visibility/visibility.ts'
import { findGroups, prepareQuery, type Query } from './find.ts'
import { foundIn, relevanceOf, type Search } from './queries.ts'

/** Rows that a text is found in, and how well: the smaller, the better. Both over the table of the target, under its own name. */
export interface TextMatch {
  readonly where: RawBuilder<boolean>
  readonly relevance: RawBuilder<number>
}

/**
 * The same for a list, which has more to ask of its rows. Mistakes are forgiven where this viewer would find nothing
 * without that: beside what holds the word itself, what holds another is no answer. Undefined: it finds nothing at all.
 */
export const textMatch = async (
  db: Pick<Database, 'read' | 'readSlowly' | 'dialect'>,
  viewer: Viewer,
  target: 'series' | 'book',
  asked: { readonly text: string; readonly isForgiving: boolean },
): Promise<TextMatch | undefined> => {
  const query = await prepareQuery(db, asked.text, asked.isForgiving)
  if (!query) return undefined
  const exact = await findGroups(db, viewer, query.exact, { target, query, limit: 1 })
  const groups = exact.length > 0 ? query.exact : await query.forgiving()
  return groups && matchOf(searchFor(db, target, query, groups))
}

const searchFor = (
  { dialect: { textIndex } }: Pick<Database, 'dialect'>,
  target: 'series' | 'book',
  { text, patterns }: Query,
  groups: Query['exact'],
): Search => ({ target, text, patterns, found: textIndex.found(`${target}_search`, groups) })

const matchOf = (search: Search): TextMatch => ({ where: foundIn(search), relevance: relevanceOf(search) })
