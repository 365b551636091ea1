import { createHash } from 'node:crypto'
import type { Row, RowSource, RowTarget, TableShape } from '../../../database/rows.ts'
import { type ArchiveManifest, type Part, tablePart } from './archive-format.ts'
import { readPart, UnusableArchive } from './archive-reader.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import { lineOf, lineOfRow, linesOf, rowFrom } from './lines.ts'
import type { OnProgress } from '../progress.ts'

export type RowCounts = Record<string, number>

/** One part a table: the names of the columns, then a line for each row. */
export const writeRows = async (
  writer: ArchiveWriter,
  source: RowSource,
  onProgress: OnProgress,
): Promise<RowCounts> => {
  const counts: RowCounts = {}
  let done = 0
  for (const table of source.tables) {
    let count = 0
    const counted = (rows: readonly Row[]): void => {
      count += rows.length
      onProgress({ step: 'reading rows', done: done + count, total: undefined })
    }
    await writer.add(tablePart(table.name), tableLines(source, table, counted))
    counts[table.name] = count
    done += count
  }
  return counts
}

async function* tableLines(
  source: RowSource,
  table: TableShape,
  onRows: (rows: readonly Row[]) => void = () => undefined,
): AsyncGenerator<Buffer> {
  yield Buffer.from(lineOf(table.columns))
  for await (const rows of source.rows(table)) {
    yield Buffer.from(rows.map(lineOfRow).join(''))
    onRows(rows)
  }
}

const batch = { rows: 500, values: 20_000 }

/** It fills an empty database from the file, and fails unless the file holds what it states. */
export const loadRows = async (
  file: string,
  { parts, tables }: ArchiveManifest,
  target: RowTarget,
  onProgress: OnProgress,
): Promise<void> => {
  const total = Object.values(tables).reduce((sum, count) => sum + count, 0)
  let done = 0
  requireSameTables(tables, target.tables)
  await target.clear()
  for (const shape of target.tables) {
    const part = parts.find(({ name }) => name === tablePart(shape.name))
    if (!part) throw new UnusableArchive(`The rows of ${shape.name} are not in it.`)
    let count = 0
    for await (const { table, rows } of readRows(file, part, shape)) {
      await target.insert(table, rows)
      count += rows.length
      onProgress({ step: 'writing rows', done: done + count, total })
    }
    if (count !== tables[shape.name]) throw new UnusableArchive(`Some of the rows of ${shape.name} are not in it.`)
    done += count
  }
  await target.finish()
}

/** An unknown table would be left out of the copy silently. */
export const requireSameTables = (counts: RowCounts, tables: readonly TableShape[]): void => {
  const tableNames = new Set(tables.map(({ name }) => name))
  const [stranger] = Object.keys(counts).filter((name) => !tableNames.has(name))
  if (stranger !== undefined) throw new UnusableArchive(`This program knows nothing of its ${stranger}.`)
}

async function* readRows(
  file: string,
  part: Part,
  shape: TableShape,
): AsyncGenerator<{ readonly table: TableShape; readonly rows: readonly Row[] }> {
  let table: TableShape | undefined
  let rows: Row[] = []
  for await (const line of linesOf(readPart(file, part))) {
    if (!table) {
      table = { name: shape.name, columns: columnsFrom(line, shape) }
      continue
    }
    rows.push(rowFrom(line, table.columns.length))
    if (rows.length < batch.rows && rows.length * table.columns.length < batch.values) continue
    yield { table, rows }
    rows = []
  }
  if (table && rows.length > 0) yield { table, rows }
}

/** They go into statements as they are: none that the table does not have. */
const columnsFrom = (line: unknown, { name, columns }: TableShape): readonly string[] => {
  if (Array.isArray(line) && line.length === columns.length && columns.every((column) => line.includes(column)))
    return line as string[]
  throw new UnusableArchive(`The columns of ${name} are not those this program knows.`)
}

/** It copies all rows of one database into an empty one. */
export const copyRows = async (source: RowSource, target: RowTarget, onProgress: OnProgress): Promise<void> => {
  let done = 0
  await target.clear()
  for (const table of source.tables) {
    for await (const rows of source.rows(table)) {
      await target.insert(table, rows)
      done += rows.length
      onProgress({ step: 'writing rows', done, total: undefined })
    }
  }
  await target.finish()
}

/** It checks that what was written can be read and is complete: the same lines come out again. */
export const requireSameRows = async (source: RowSource, { parts }: ArchiveManifest): Promise<void> => {
  for (const table of source.tables) {
    const digest = createHash('sha256')
    for await (const chunk of tableLines(source, table)) digest.update(chunk)
    const part = parts.find(({ name }) => name === tablePart(table.name))
    if (part?.sha256 !== digest.digest('hex'))
      throw new UnusableArchive(`The rows of ${table.name} do not come out of it as they went in.`)
  }
}
