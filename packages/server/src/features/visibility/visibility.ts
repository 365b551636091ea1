import { type RawBuilder, sql } from 'kysely'
import type { Database, ReadDb } from '../../database/database.ts'
import type { Caller } from '../../http/caller.ts'
import { notFound } from '../../platform/errors.ts'
import { BoundedMap } from '../../platform/limits.ts'
import { readViewRules, type ViewRule } from '../access/access.ts'
import { selectUser } from '../users/users.ts'

export { announceBooks, announceSeries } from './news.ts'

/** Somebody who looks, with what they may see. */
export interface Viewer {
  readonly userId: string
  readonly rule: ViewRule
  /** Server paths are told to those who manage libraries. */
  readonly seesPaths: boolean
}

export type ViewerOf = (caller: Caller) => Promise<Viewer>

const keptMax = 10_000

/** Worked out once for each user, and again as soon as anything changes about who may see what, here or at another node. */
export const viewers = (db: Pick<Database, 'read' | 'revisions'>): ViewerOf => {
  const rules = new BoundedMap<ViewRule>(keptMax)
  let revision: number | undefined

  return async ({ userId, permissions }) => {
    const { access } = await db.revisions()
    if (access !== revision) rules.clear()
    revision = access
    const known = rules.get(userId)
    const rule = known ?? (await readRule(db.read, userId))
    if (!known && revision === access) rules.set(userId, rule)
    return { userId, rule, seesPaths: permissions.has('libraries:write') }
  }
}

const readRule = async (db: ReadDb, userId: string): Promise<ViewRule> => {
  const user = await selectUser(db, userId)
  if (!user) throw notFound('user')
  return (await readViewRules(db, [user]))(user)
}

/** Whether this viewer may see everything there is: totals that are kept need no counting then. */
export const seesAll = ({ rule }: Viewer): boolean =>
  rule.libraries === 'all' && rule.ageCeiling === null && rule.allowTags.length === 0 && rule.denyTags.length === 0

/**
 * The one condition of every query that returns content of libraries (AUTH-7). `content` names the table, under its own
 * name, that the rows come from. What is hidden does not exist for this viewer (HTTP-3).
 */
export const visibleTo = (viewer: Viewer, content: 'book' | 'series'): RawBuilder<boolean> => {
  const { libraries, ageCeiling, includeUnrated, allowTags, denyTags } = viewer.rule
  const conditions: RawBuilder<unknown>[] = []
  if (libraries !== 'all') conditions.push(isOneOf(sql.ref(`${content}.library_id`), libraries))
  if (ageCeiling !== null) {
    const rating = sql.ref(`${content}.age_rating`)
    const fits = sql`${rating} <= ${ageCeiling}`
    conditions.push(includeUnrated ? sql`(${rating} is null or ${fits})` : fits)
  }
  if (allowTags.length > 0) conditions.push(carriesTag(content, allowTags))
  if (denyTags.length > 0) conditions.push(sql`not ${carriesTag(content, denyTags)}`)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** The same for libraries themselves: only the list of libraries decides. */
export const visibleLibraries = ({ rule }: Viewer): RawBuilder<boolean> =>
  rule.libraries === 'all' ? sql<boolean>`true` : isOneOf(sql.ref('library.id'), rule.libraries)

const carriesTag = (content: 'book' | 'series', tags: readonly string[]): RawBuilder<boolean> => {
  const seriesId = sql.ref(content === 'book' ? 'book.series_id' : 'series.id')
  return sql<boolean>`exists (select 1 from series_sharing_tag
    where series_sharing_tag.series_id = ${seriesId} and ${isOneOf(sql.ref('series_sharing_tag.tag_id'), tags)})`
}

const isOneOf = (column: RawBuilder<unknown>, values: readonly string[]): RawBuilder<boolean> =>
  values.length === 0 ? sql<boolean>`false` : sql<boolean>`${column} in (${sql.join(values)})`
