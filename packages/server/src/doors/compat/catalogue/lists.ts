import type { BookSort, SeriesSort } from '@carrel/api'
import type { CompatBook, CompatSeries } from '@carrel/api/doors'
import type { RawBuilder } from 'kysely'
import type { Context } from '../../../context.ts'
import { openBooks, openSeries } from '../../../catalogue/lists/lists.ts'
import { collectionsBehind } from '../../../features/collections/collections.ts'
import { holds } from '../conditions/queries.ts'
import { idsNamed, splitOff, type CompatCondition } from '../conditions/list-options.ts'
import type { CompatRecords } from '../records/records.ts'
import type { CompatViewer } from '../records/series-record.ts'
import type { Shown } from './pages.ts'

export interface Source extends Pick<Context, 'db' | 'settings'> {
  readonly records: CompatRecords
}

export interface CompatSeriesQuery {
  readonly options: CompatCondition
  readonly fullTextSearch?: string | undefined
  readonly sort?: SeriesSort | undefined
  /** The applications have asked for this order themselves. */
  readonly isSorted?: boolean
}

/** It turns options into a part of a statement. */
export const seriesHolding = async (
  { db }: Pick<Source, 'db'>,
  { viewer }: CompatViewer,
  options: CompatCondition,
): Promise<RawBuilder<boolean> | undefined> => {
  const named = idsNamed(options, 'collectionId')
  const automatic =
    named.length === 0 ? new Map<string, RawBuilder<boolean>>() : await collectionsBehind(db.read, viewer, named)
  return holds(options, { target: 'series', viewer, automatic })
}

export const openCompatSeries = async (
  source: Source,
  compatViewer: CompatViewer,
  { options, fullTextSearch, sort, isSorted = sort !== undefined }: CompatSeriesQuery,
): Promise<Shown<CompatSeries>> => {
  const { value: libraryId, rest } = splitOff(options, 'libraryId')
  const list = await openSeries(source, compatViewer.viewer, {
    libraryId,
    fullTextSearch,
    holds: await seriesHolding(source, compatViewer, rest),
    sort,
  })
  return {
    total: list.total,
    isSorted,
    items: async (part) =>
      source.records.series(
        compatViewer,
        (await list.rows(part)).map(({ id }) => id),
      ),
  }
}

export interface CompatBookQuery {
  readonly options: CompatCondition
  readonly fullTextSearch?: string | undefined
  readonly sort?: BookSort | undefined
  readonly isSorted?: boolean
}

export const openCompatBooks = async (
  source: Source,
  compatViewer: CompatViewer,
  { options, fullTextSearch, sort, isSorted = sort !== undefined }: CompatBookQuery,
): Promise<Shown<CompatBook>> => {
  const { viewer, spelling } = compatViewer
  const { value: libraryId, rest: inLibrary } = splitOff(options, 'libraryId')
  const { value: seriesId, rest } = splitOff(inLibrary, 'seriesId')
  const list = await openBooks(source, viewer, {
    libraryId,
    seriesId,
    fullTextSearch,
    holds: holds(rest, { target: 'books', viewer, automatic: new Map(), mediaProfileOf: spelling.mediaProfileOf }),
    sort,
  })
  return {
    total: list.total,
    isSorted,
    items: async (part) =>
      source.records.books(
        compatViewer,
        (await list.rows(part)).map(({ id }) => id),
      ),
  }
}
