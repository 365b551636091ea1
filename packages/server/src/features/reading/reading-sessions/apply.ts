import type { WriteDb } from '../../../database/database.ts'
import { type Zone, zoneNamed } from '../stats/zone.ts'
import { changesOf } from './figures.ts'
import {
  addFigures,
  deleteEmptyFigures,
  deleteSessions,
  type FigureZone,
  saveFigureZone,
  saveSessions,
  selectFigureZone,
  type SessionCursor,
  type SessionRow,
} from './queries.ts'

export interface Change {
  readonly gone: readonly SessionRow[]
  readonly come: readonly SessionRow[]
}

/** Sessions that have become others, and the sums with them. It returns in whose days they are kept. */
export const applyChange = async (
  db: WriteDb,
  userId: string,
  change: Change,
  figureZone?: FigureZone,
): Promise<FigureZone | undefined> => {
  const { gone, come } = different(change)
  if (gone.length === 0 && come.length === 0) return undefined
  const stays = new Set(come.map(({ id }) => id))
  const ended = gone.flatMap(({ id }) => (stays.has(id) ? [] : id))
  await deleteSessions(db, userId, ended)
  await saveSessions(db, come, changedColumns(gone, come))
  const state = figureZone ?? (await selectFigureZone(db, userId))
  const name = state.storedZone ?? state.own
  if (state.storedZone === null) await saveFigureZone(db, userId, name, null)
  const isCounted = (row: SessionRow): boolean => !state.builtTo || !isAfter(row, state.builtTo)
  const sums = changesOf(userId, requireZone(name), { gone: gone.filter(isCounted), come: come.filter(isCounted) })
  await addFigures(db, sums)
  const lessened = sums.filter(({ sessions, completions }) => sessions < 0 || completions < 0)
  if (lessened.length > 0) await deleteEmptyFigures(db, userId, [...new Set(lessened.map(({ start }) => start))])
  return state
}

export const requireZone = (name: string): Zone => {
  const zone = zoneNamed(name) ?? zoneNamed('UTC')
  if (!zone) throw new Error('There is no universal time')
  return zone
}

const isAfter = (row: SessionRow, { startedAt, id }: SessionCursor): boolean =>
  row.started_at > startedAt || (row.started_at === startedAt && row.id > id)

/** Undefined: some are new. */
const changedColumns = (
  gone: readonly SessionRow[],
  come: readonly SessionRow[],
): readonly (keyof SessionRow)[] | undefined => {
  const before = new Map(gone.map((row) => [row.id, row]))
  if (!come.every(({ id }) => before.has(id))) return undefined
  const columns = Object.keys(come[0] ?? {}) as (keyof SessionRow)[]
  return columns.filter((column) => come.some((row) => before.get(row.id)?.[column] !== row[column]))
}

/** Rows that are the same in both are left out. */
const different = ({ gone, come }: Change): Change => {
  const before = new Map(gone.map((row) => [row.id, textOf(row)]))
  const same = new Set(come.filter((row) => before.get(row.id) === textOf(row)).map(({ id }) => id))
  return { gone: gone.filter(({ id }) => !same.has(id)), come: come.filter(({ id }) => !same.has(id)) }
}

/** The text does not depend on the order in which a database returns columns. */
export const textOf = (row: object): string =>
  JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)))
