import {
  bookEditable,
  bookLockable,
  editBookMetadata,
  editSeriesMetadata,
  type Endpoint,
  type Envelope,
  type ListAnswer,
  listBookMetadataHistory,
  listSeriesMetadataHistory,
  type MetadataChange,
  type MetadataSources,
  readBook,
  readBookMetadata,
  readBookMetadataSources,
  readSeries,
  readSeriesMetadata,
  readSeriesMetadataSources,
  seriesEditable,
  seriesLockable,
  takeBackBookField,
  takeBackSeriesField,
  undoBookMetadata,
  undoSeriesMetadata,
} from '@carrel/api'
import type { Metadata } from './draft.ts'
import { type FieldName, isField } from '../../metadata/fields.ts'

export type EntityKind = 'series' | 'book'

interface ById {
  readonly params: { readonly id: string }
}

/** A form needs this of series and of books alike. */
export interface Entity {
  readonly kind: EntityKind
  readonly fields: readonly FieldName[]
  readonly lockable: readonly string[]
  readonly readTitle: Endpoint<ById, { readonly title: string }>
  readonly read: Endpoint<ById, Metadata>
  readonly edit: Endpoint<ById & { readonly body: Metadata }, Metadata>
  readonly sources: Endpoint<ById, MetadataSources>
  readonly takeBack: Endpoint<{ readonly params: { readonly id: string; readonly field: string } }, undefined>
  readonly history: Endpoint<
    ById & { readonly query?: { readonly page?: number; readonly pageSize?: number } },
    Envelope<MetadataChange>,
    ListAnswer<MetadataChange>
  >
  readonly undo: Endpoint<
    ById & { readonly body: { readonly historyId: string; readonly force?: boolean } },
    { readonly conflicts: readonly string[] }
  >
}

export const entities: Readonly<Record<EntityKind, Entity>> = {
  series: {
    kind: 'series',
    fields: seriesEditable.filter(isField),
    lockable: seriesLockable,
    readTitle: readSeries,
    read: readSeriesMetadata,
    edit: editSeriesMetadata,
    sources: readSeriesMetadataSources,
    takeBack: takeBackSeriesField,
    history: listSeriesMetadataHistory,
    undo: undoSeriesMetadata,
  },
  book: {
    kind: 'book',
    fields: bookEditable.filter(isField),
    lockable: bookLockable,
    readTitle: readBook,
    read: readBookMetadata,
    edit: editBookMetadata,
    sources: readBookMetadataSources,
    takeBack: takeBackBookField,
    history: listBookMetadataHistory,
    undo: undoBookMetadata,
  },
}
