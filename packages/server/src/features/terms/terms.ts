import type { ListAnswer, TermDto } from '@carrel/api'
import { type TermKind, termKey } from '../../catalogue/terms/terms.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../database/database.ts'
import type { Paging } from '../../platform/paging.ts'
import { showCoversById } from '../series/series.ts'
import { countTerms, countWithTerms, selectTerms } from './queries.ts'

/** By name; what stands only on what this viewer does not see does not exist. */
export const listTerms = async (
  db: ReadDb,
  viewer: Viewer,
  { kind, q = '' }: { readonly kind: TermKind; readonly q?: string | undefined },
  paging: Paging,
): Promise<ListAnswer<TermDto>> => {
  const filter = { kind, prefix: q.trim() === '' ? '' : termKey(q) }
  const total = await countTerms(db, viewer, filter)
  const rows = paging.offset < total ? await selectTerms(db, viewer, filter, paging) : []
  const counts = await countWithTerms(
    db,
    viewer,
    rows.map(({ id }) => id),
  )
  const pictured = (id: string): readonly string[] => {
    const { first_id, last_id } = counts.series.get(id) ?? counts.books.get(id) ?? {}
    return [...new Set([first_id, last_id])].filter((each) => each != null)
  }
  const seriesIds = new Set(rows.flatMap(({ id }) => pictured(id)))
  const covers = await showCoversById(db, viewer, [...seriesIds])
  const coverOf = new Map(covers.map((cover) => [cover.seriesId, cover]))
  const data = rows.map(({ id, name, created_at }) => ({
    id,
    name,
    seriesCount: counts.series.get(id)?.count ?? 0,
    bookCount: counts.books.get(id)?.count ?? 0,
    covers: pictured(id).flatMap((seriesId) => coverOf.get(seriesId) ?? []),
    createdAt: created_at,
  }))
  return { total, data }
}
