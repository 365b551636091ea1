import type { ListAnswer, TermDto } from '@carrel/api'
import { type TermKind, termKey } from '../../catalogue/terms/terms.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../database/database.ts'
import type { Paging } from '../../platform/paging.ts'
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
  const data = rows.map(({ id, name, created_at }) => ({
    id,
    name,
    seriesCount: counts.series.get(id) ?? 0,
    bookCount: counts.books.get(id) ?? 0,
    createdAt: created_at,
  }))
  return { total, data }
}
