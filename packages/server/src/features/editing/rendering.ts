import type { BookContext, Rendered, SeriesContext } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import type { Decoders } from '../../decoders/pool.ts'
import { BookFault } from '../../formats/book-format.ts'
import { AppError, invalid, stopping } from '../../platform/errors.ts'
import { readBook } from '../books/books.ts'
import { requireBook, requireSeries } from '../../catalogue/entries/entries.ts'
import { customMetadataIn, metadataOfBook, metadataOfSeries } from '../../catalogue/metadata/metadata.ts'
import { readSeries } from '../series/series.ts'
import type { Context } from '../../context.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'

export const readSeriesContext = async (db: ReadDb, viewer: Viewer, id: string): Promise<SeriesContext> => {
  const row = await requireSeries(db, viewer, id)
  const { title, bookCount, externalIds } = await readSeries(db, viewer, id)
  return {
    type: 'series',
    seriesId: id,
    bookCount,
    metadata: { ...metadataOfSeries(row), title },
    externalIds: bySource(externalIds),
    customMetadata: customMetadataIn(row.metadata),
  }
}

/** A book may show although its series does not: of that nothing is told. */
export const readBookContext = async (db: ReadDb, viewer: Viewer, id: string): Promise<BookContext> => {
  const row = await requireBook(db, viewer, id)
  const { title, seriesId, libraryId, fileFormat, pageCount, fileSize, externalIds } = await readBook(db, viewer, id)
  return {
    type: 'book',
    bookId: id,
    seriesId,
    libraryId,
    fileFormat,
    pageCount,
    fileSize,
    metadata: { ...metadataOfBook(row), title },
    externalIds: bySource(externalIds),
    customMetadata: customMetadataIn(row.metadata),
    series: seriesId === null ? hiddenSeries : await seriesContextOf(db, viewer, seriesId),
  }
}

/** A missing book may be all there is of its series. */
const seriesContextOf = (db: ReadDb, viewer: Viewer, seriesId: string): Promise<SeriesContext> =>
  readSeriesContext(db, viewer, seriesId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return hiddenSeries
    throw error
  })

const hiddenSeries: SeriesContext = {
  type: 'series',
  seriesId: null,
  bookCount: 0,
  metadata: { ...metadataOfSeries({ metadata: '{}', locks: '[]' }), title: '' },
  externalIds: {},
  customMetadata: null,
}

/** The first id that each service knows it by. */
const bySource = (ids: readonly { readonly source: string; readonly id: string; readonly url?: string | null }[]) =>
  Object.fromEntries(ids.toReversed().map(({ source, id, url = null }) => [source, { id, url }]))

export interface Renderer {
  readonly decoders: Decoders
  readonly settings: Pick<Context['settings'], 'get'>
}

/** A process that takes longer to answer than this has something else the matter with it than the template. */
const silenceMaxMs = 20_000

const render = async (decoders: Decoders, template: string, context: object): Promise<Rendered> => {
  if (template.trim() === '') return { text: '', truncated: false }
  try {
    return await decoders.run('renderTemplate', { template, context }, { silenceMaxMs, urgent: true })
  } catch (error) {
    if (!(error instanceof BookFault)) throw error
    if (error.code === 'unreadable') throw stopping()
    // Its process was ended: it took all the memory there was.
    return { text: '', truncated: false, error: 'The template takes more memory than it may, and was stopped.' }
  }
}

export const renderMetadata = (
  { decoders, settings }: Renderer,
  context: SeriesContext | BookContext,
): Promise<Rendered> => render(decoders, settings.get('display.custom_metadata_template'), context)

export const previewTemplate = async (
  db: ReadDb,
  viewer: Viewer,
  decoders: Decoders,
  { template, seriesId, bookId }: { template: string; seriesId?: string | undefined; bookId?: string | undefined },
): Promise<Rendered> => {
  if ((seriesId === undefined) === (bookId === undefined))
    throw invalid('/seriesId', 'Give either seriesId or bookId: a template is tried with one of them.')
  const context =
    seriesId === undefined
      ? await readBookContext(db, viewer, bookId ?? '')
      : await readSeriesContext(db, viewer, seriesId)
  return render(decoders, template, context)
}
