import type { ListAnswer, MatchedField, MetadataApplyResponse, MetadataMatch } from '@carrel/api'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import type { Caller } from '../../http/caller.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import type { Paging } from '../../platform/paging.ts'
import { coverStore, forgetPictures } from '../covers/covers.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { Candidate } from './asking/asking.ts'
import { applyMatch, addCoverAddress, type MatchingContext, unmatchWithin } from './matching.ts'
import {
  countQueue,
  insertRefusals,
  type MatchFilter,
  saveMatches,
  selectMatch,
  selectMatches,
  selectQueue,
  type ShownMatchRow,
} from './queries.ts'

type Showing = Pick<Context, 'secret' | 'clock' | 'config'>

export const listMatches = async (
  context: Pick<Context, 'db'> & Showing,
  viewer: Viewer,
  filter: MatchFilter,
  paging: Paging,
): Promise<ListAnswer<MetadataMatch>> => {
  const { readSlowly } = context.db
  const total = await countQueue(readSlowly, viewer, filter)
  const rows = paging.offset < total ? await selectQueue(readSlowly, viewer, filter, paging) : []
  return { total, data: rows.map((row) => toMatch(row, context, viewer)) }
}

const toMatch = (row: ShownMatchRow, context: Showing, viewer: Viewer): MetadataMatch => ({
  id: row.id,
  pluginId: row.plugin_id,
  pluginName: row.plugin_name,
  entity: row.entity,
  entityId: row.entity_id,
  title: row.title,
  libraryId: row.library_id,
  state: row.state,
  externalId: row.external_id,
  confidence: row.confidence,
  candidates: candidatesIn(row).map(addCoverAddress(context, viewer, row.plugin_id)),
  at: row.at,
})

const candidatesIn = ({ candidates }: Pick<ShownMatchRow, 'candidates'>) => JSON.parse(candidates) as Candidate[]

const requireMatch = async (db: Database['read'], viewer: Viewer, id: string): Promise<ShownMatchRow> => {
  const row = await selectMatch(db, viewer, id)
  if (!row) throw notFound('match')
  return row
}

interface Reviewer {
  readonly viewer: Viewer
  readonly permissions: Caller['permissions']
}

const requireWriter = ({ entity }: Pick<ShownMatchRow, 'entity'>, permissions: Caller['permissions']): void => {
  if (entity === 'book' && !permissions.has('books:write'))
    throw new AppError('not_allowed', 'You may not change what is said of books.')
}

/** Nothing is compared: it is applied as it is by now. */
const asItIs = (): void => undefined

export const acceptMatch = async (
  context: MatchingContext,
  { viewer, permissions }: Reviewer,
  id: string,
  { externalId, fields }: { readonly externalId: string; readonly fields?: MatchedField[] | undefined },
): Promise<MetadataApplyResponse> => {
  const row = await requireMatch(context.db.read, viewer, id)
  requireWriter(row, permissions)
  const body = { pluginId: row.plugin_id, externalId, ...(fields && { fields }) }
  return applyMatch(context, { entity: row.entity, id: row.entity_id, viewer }, body, asItIs)
}

/** One of its candidates, or all that is left of them and what was applied. */
export const refuseMatch = async (
  context: MatchingContext,
  { viewer, permissions }: Reviewer,
  id: string,
  externalId: string | undefined,
): Promise<MetadataMatch> => {
  const { db, clock, config } = context
  const row = await requireMatch(db.read, viewer, id)
  requireWriter(row, permissions)
  const candidates = candidatesIn(row)
  if (
    externalId !== undefined &&
    externalId !== row.external_id &&
    !candidates.some((each) => each.externalId === externalId)
  )
    throw invalid('/externalId', 'It is none of the candidates.')
  const pictures = await db.write(async (db) => {
    const now = clock()
    const storedMatch = (await selectMatches(db, row.plugin_id, [row.entity_id])).get(row.entity_id)
    if (!storedMatch) throw notFound('match')
    if (storedMatch.state === 'matched' && (externalId === undefined || externalId === storedMatch.external_id)) {
      const by = { name: row.plugin_name, id: row.plugin_id, now }
      return unmatchWithin(db, { entity: row.entity, id: row.entity_id, viewer }, by)
    }
    const refused = externalId === undefined ? candidatesIn(storedMatch).map((each) => each.externalId) : [externalId]
    const at = now.toISOString()
    const { plugin_id, entity_id, series_id, book_id } = storedMatch
    await insertRefusals(
      db,
      refused.map((external_id) => ({
        plugin_id,
        entity_id,
        series_id,
        book_id,
        external_id,
        at,
        by_user_id: viewer.userId,
      })),
    )
    const left = candidatesIn(storedMatch).filter((each) => !refused.includes(each.externalId))
    const state = storedMatch.state === 'matched' ? storedMatch.state : left.length > 0 ? 'uncertain' : 'refused'
    await saveMatches(db, [{ ...storedMatch, state, candidates: JSON.stringify(left), at, by_user_id: viewer.userId }])
    return []
  })
  await forgetPictures(coverStore(config), db.read, pictures)
  return toMatch(await requireMatch(db.read, viewer, id), context, viewer)
}
