import {
  columnName,
  conditionName,
  type FacetName,
  type FacetValue,
  type MetadataField,
  type MetadataFields,
  type ReadStatus,
} from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../database/database.ts'
import { isFoldedText } from '../database/field-columns.ts'
import { compileCondition } from './compile.ts'
import type { FilterViewer } from './filter-viewer.ts'
import { comparedColumn, seesTerm, shownColumn } from './field-tests.ts'
import { always, termKinds, type Truth } from './tests.ts'

/** It says what the values of a facet are, and how rows are counted by them. */
export interface FacetSource {
  readonly from: RawBuilder<unknown>
  readonly value: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
  readonly group: RawBuilder<unknown>
  readonly each: RawBuilder<unknown>
}

type Table = 'series' | 'book'

const termFacet = (table: Table, kind: 'genre' | 'tag' | 'person', isSeen: Truth): FacetSource => {
  const ids = { row: sql.ref(`${table}.id`), link: sql.ref(`${table}_term.${table}_id`) }
  return {
    from: sql`${sql.table(table)} inner join ${sql.table(`${table}_term`)} on ${ids.link} = ${ids.row}
      inner join term on term.id = ${sql.ref(`${table}_term.term_id`)}`,
    value: sql`term.name`,
    where: isSeen === always ? sql`term.kind = ${sql.lit(kind)}` : sql`term.kind = ${sql.lit(kind)} and ${isSeen}`,
    group: sql`term.id, term.name`,
    // A person may have several roles in one book.
    each: kind === 'person' ? sql`count(distinct ${ids.row})` : sql`count(*)`,
  }
}

export const columnFacet = (table: Table, column: RawBuilder<unknown>): FacetSource => ({
  from: sql.table(table),
  value: column,
  where: sql`${column} is not null`,
  group: sql`1`,
  each: sql`count(*)`,
})

/** A value spelled in several ways is still one value: that of the first spelling. */
const spelledFacet = (table: Table, column: RawBuilder<unknown>, folded: RawBuilder<unknown>): FacetSource => ({
  ...columnFacet(table, column),
  value: sql`min(${column})`,
  group: folded,
})

const facetOf = (table: Table, [name, field]: readonly [string, MetadataField], viewer?: FilterViewer): FacetSource => {
  const kind = termKinds[conditionName(name, field) ?? '']
  if (kind) return termFacet(table, kind, seesTerm(table, viewer))
  const column = shownColumn(table, columnName(name), viewer)
  return isFoldedText(field)
    ? spelledFacet(table, column, comparedColumn(table, name, field, viewer))
    : columnFacet(table, column)
}

/** The facets of fields of metadata; a viewer is named from whom books are hidden by their ages. */
export const fieldFacets = <Fields extends MetadataFields>(table: Table, fields: Fields, viewer?: FilterViewer) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.facet ? [[conditionName(name, field) ?? name, facetOf(table, [name, field], viewer)] as const] : [],
    ),
  ) as Readonly<Record<FacetName<Fields>, FacetSource>>

export const readStatusFacet = (table: Table, viewer: FilterViewer): FacetSource => {
  const target = table === 'book' ? 'books' : 'series'
  const is = (value: ReadStatus) => compileCondition({ readStatus: { operator: 'is', value } }, { target, viewer })
  const status = sql`case when ${is('unread')} then 'unread' when ${is('read')} then 'read' else 'in_progress' end`
  return columnFacet(table, status)
}

/** The most frequent values among the rows for which these conditions hold. */
export const countValues = async (
  db: ReadDb,
  { from, value, where, group, each }: FacetSource,
  conditions: readonly RawBuilder<unknown>[],
  limit: number,
): Promise<FacetValue[]> => {
  const { rows } = await sql<{ value: string | number; count: number }>`
    select ${value} as value, ${each} as count from ${from} where ${sql.join([...conditions, where], sql` and `)}
    group by ${group} order by count desc, value limit ${limit}`.execute(db)
  return rows.map(({ value, count }) => ({ value, count }))
}
