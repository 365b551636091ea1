import { type HistoryColumn, historyColumns, type HistoryFormat } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { csvLine } from './csv.ts'
import { selectEntriesInOrder, selectHidden, selectNames, selectStatedInOrder } from './queries.ts'

type Line = Readonly<Record<HistoryColumn, string | number | boolean | null>>

const entriesAtOnce = 500

/**
 * It exports a user's history, without what is hidden from them by now, a part at a time: it is never in memory as a
 * whole.
 */
export async function* exportHistory(db: ReadDb, viewer: Viewer, format: HistoryFormat): AsyncGenerator<Buffer> {
  yield Buffer.from(format === 'csv' ? csvLine(historyColumns) : '{"entries":[')
  let isFirst = true
  for await (const lines of linesOf(db, viewer)) {
    const texts = lines.map((line) =>
      format === 'csv' ? csvLine(historyColumns.map((column) => line[column])) : JSON.stringify(line),
    )
    if (texts.length === 0) continue
    yield Buffer.from(format === 'csv' ? texts.join('') : `${isFirst ? '\n' : ',\n'}${texts.join(',\n')}`)
    isFirst = false
  }
  if (format === 'json') yield Buffer.from('\n]}\n')
}

async function* linesOf(db: ReadDb, viewer: Viewer): AsyncGenerator<Line[]> {
  for (let after = { startedAt: '', id: '' }; ;) {
    const logEntries = await selectEntriesInOrder(db, viewer.userId, after, entriesAtOnce)
    const lines = await named(
      db,
      viewer,
      logEntries.map((logEntry) => ({
        bookId: logEntry.book_id,
        seriesId: logEntry.series_id,
        series: logEntry.series_name,
        page: logEntry.page,
        pageCount: logEntry.page_count,
        percentage: logEntry.percentage,
        completed: logEntry.finishes === 1,
        date: logEntry.at,
        id: logEntry.id,
        kind: logEntry.kind,
        source: logEntry.source,
        startedAt: logEntry.started_at,
        activeMs: logEntry.active_ms,
        pagesRead: logEntry.pages_read,
        device: logEntry.device_id,
        deviceName: logEntry.deviceName,
      })),
    )
    yield lines
    const last = logEntries.at(-1)
    if (!last || logEntries.length < entriesAtOnce) break
    after = { startedAt: last.started_at, id: last.id }
  }
  for (let afterId = ''; ;) {
    const stated = await selectStatedInOrder(db, viewer.userId, afterId, entriesAtOnce)
    yield await named(
      db,
      viewer,
      stated.map((each) => ({
        bookId: each.book_id,
        seriesId: each.series_id,
        series: each.series_name,
        page: null,
        pageCount: null,
        percentage: null,
        completed: true,
        date: each.completed_at,
        id: each.id,
        kind: 'completed',
        source: 'stated',
        startedAt: each.started_at,
        activeMs: null,
        pagesRead: null,
        device: null,
        deviceName: null,
      })),
    )
    const last = stated.at(-1)
    if (!last || stated.length < entriesAtOnce) return
    afterId = last.id
  }
}

type Unnamed = Omit<Line, 'fileHash' | 'path' | 'title'> & { readonly bookId: string; readonly seriesId: string }

const named = async (db: ReadDb, viewer: Viewer, lines: readonly Unnamed[]): Promise<Line[]> => {
  const bookIds = [...new Set(lines.map(({ bookId }) => bookId))]
  const names = await selectNames(db, viewer, bookIds)
  const hidden = await selectHidden(db, viewer, 'book', bookIds)
  const seriesIds = [...new Set(lines.map(({ seriesId }) => seriesId))]
  const hiddenSeries = await selectHidden(db, viewer, 'series', seriesIds)
  const told = lines.filter(({ bookId }) => !hidden.has(bookId))
  return told.map(({ bookId, seriesId, ...line }) => {
    const name = names.get(bookId)
    return {
      fileHash: name?.fileHash ?? null,
      path: name?.path ?? null,
      title: name?.title ?? null,
      ...line,
      series: name ? name.series : hiddenSeries.has(seriesId) ? null : line.series,
    }
  })
}
