import { open } from 'node:fs/promises'
import type { BookCondition, BookExportField, SeriesCondition, SeriesExportField } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import { narrow } from '../../filtering/filtering.ts'
import { AppError } from '../../platform/errors.ts'
import type { TaskContext } from '../../tasks/define-task.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { bookCatalogue, type Field, seriesCatalogue } from './catalogue.ts'
import { bookBatches, seriesBatches } from './content/batches.ts'
import { countBooks, countSeries, type Part, selectLibraryIds } from './content/queries.ts'
import { type Line, writingOf } from './formats.ts'
import type { ExportRow } from './queries.ts'

/** Lines come from here: the series or the books of one library. */
interface Source {
  readonly count: () => Promise<number>
  readonly batches: () => AsyncGenerator<Line[]>
}

export interface Written {
  readonly rows: number
  readonly bytes: number
}

/** It alone is larger than all exports together may be. */
export class TooLarge extends AppError {
  constructor() {
    super('conflict', 'It would take more room than exports may take here. Ask for fewer fields, or for one library.')
  }
}

interface Target {
  readonly path: string
  readonly bytesMax: number
}

/** It writes what this viewer sees, a batch at a time: no more than one of them is ever in memory. */
export const writeExport = async (
  exportRow: ExportRow,
  viewer: Viewer,
  { path, bytesMax }: Target,
  { db, signal, progress }: { db: ReadDb } & Pick<TaskContext, 'signal' | 'progress'>,
): Promise<Written> => {
  const writing = writingOf(exportRow.format)
  const sources = await sourcesOf(db, viewer, exportRow)
  let total = 0
  for (const { count } of sources) total += await count()
  let [rows, bytes] = [0, 0]
  const file = await open(path, 'wx', 0o600)
  const append = async (text: string): Promise<void> => {
    const chunk = Buffer.from(text)
    bytes += chunk.length
    if (bytes > bytesMax) throw new TooLarge()
    await file.writeFile(chunk)
  }
  try {
    await append(writing.begin(columnsOf(exportRow)))
    for (const { batches } of sources)
      for await (const lines of batches()) {
        signal.throwIfAborted()
        await append(lines.map((line) => writing.line(line)).join(''))
        rows += lines.length
        progress({ current: rows, total: Math.max(rows, total), message: null })
      }
    await append(writing.end())
  } finally {
    await file.close()
  }
  return { rows, bytes }
}

/** The columns are those of the one kind in the export; an export of both kinds has none. */
const columnsOf = (exportRow: ExportRow): string[] =>
  exportRow.export_type === 'books' ? bookKeys(exportRow) : seriesKeys(exportRow)

const seriesKeys = ({ fields }: ExportRow) => JSON.parse(fields) as SeriesExportField[]
const bookKeys = ({ book_fields }: ExportRow) => JSON.parse(book_fields) as BookExportField[]

const sourcesOf = async (db: ReadDb, viewer: Viewer, exportRow: ExportRow): Promise<Source[]> => {
  const { export_type: type, library_ids } = exportRow
  const among = library_ids === null ? undefined : (JSON.parse(library_ids) as string[])
  const libraryIds = await selectLibraryIds(db, viewer, among)
  return [
    ...(type === 'books' ? [] : seriesSources(db, viewer, exportRow, libraryIds)),
    ...(type === 'series' ? [] : bookSources(db, viewer, exportRow, libraryIds)),
  ]
}

const seriesSources = (db: ReadDb, viewer: Viewer, exportRow: ExportRow, libraryIds: readonly string[]): Source[] => {
  const condition = exportRow.condition === null ? undefined : (JSON.parse(exportRow.condition) as SeriesCondition)
  const narrowed = narrow({ condition }, { target: 'series', viewer })?.forAllRows
  const keys = seriesKeys(exportRow)
  const lineOf = lines('series', seriesCatalogue, keys)
  return libraryIds.map((libraryId) => {
    const part: Part = { libraryId, narrowed, tellsGaps: keys.includes('missing') }
    return {
      count: () => countSeries(db, viewer, part),
      batches: () => linesOf(seriesBatches(db, viewer, part), lineOf),
    }
  })
}

const bookSources = (db: ReadDb, viewer: Viewer, exportRow: ExportRow, libraryIds: readonly string[]): Source[] => {
  const condition =
    exportRow.book_condition === null ? undefined : (JSON.parse(exportRow.book_condition) as BookCondition)
  const narrowed = narrow({ condition }, { target: 'books', viewer })?.forAllRows
  const lineOf = lines('book', bookCatalogue, bookKeys(exportRow))
  return libraryIds.map((libraryId) => {
    const part: Part = { libraryId, narrowed }
    return {
      count: () => countBooks(db, viewer, part),
      batches: () => linesOf(bookBatches(db, viewer, part), lineOf),
    }
  })
}

const lines =
  <Key extends string, Subject>(
    kind: Line['kind'],
    catalogue: Readonly<Record<Key, Field<Subject>>>,
    keys: readonly Key[],
  ) =>
  (subject: Subject): Line => ({
    kind,
    values: keys.map((key) => ({ key, label: catalogue[key].label, value: catalogue[key].of(subject) })),
  })

async function* linesOf<Subject>(
  batches: AsyncGenerator<Subject[]>,
  lineOf: (subject: Subject) => Line,
): AsyncGenerator<Line[]> {
  for await (const batch of batches) yield batch.map(lineOf)
}
