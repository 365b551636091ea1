import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertRows, selectRows } from './queries.ts'

/** What is kept of things as they were, so that a merge can be taken back. */
export interface MergeRecord {
  readonly kind: string
  /** Whose it is, where it is somebody's: it is forgotten with them. */
  readonly userId?: string
  readonly content: unknown
}

export const keep = (db: WriteDb, mergeId: string, kept: readonly MergeRecord[]): Promise<void> =>
  insertRows(
    db,
    kept.map(({ kind, userId = null, content }, number) => ({
      merge_id: mergeId,
      number,
      kind,
      user_id: userId,
      content: JSON.stringify(content),
    })),
  )

export const keptRows = (kind: string, rows: readonly unknown[]): MergeRecord[] =>
  rows.map((content) => ({ kind, content }))

export const keptOfUsers = (kind: string, rows: readonly { readonly user_id: string }[]): MergeRecord[] =>
  rows.map((content) => ({ kind, userId: content.user_id, content }))

/** Answers what was kept of one kind, in the order in which it was. */
export const readKept = async (db: ReadDb, mergeId: string) => {
  const rows = Map.groupBy(await selectRows(db, mergeId), ({ kind }) => kind)
  return <Content>(kind: string): Content[] =>
    (rows.get(kind) ?? []).map(({ content }) => JSON.parse(content) as Content)
}
