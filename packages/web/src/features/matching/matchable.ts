import {
  applyBookMatch,
  applySeriesMatch,
  type Endpoint,
  listBookCovers,
  listBookMetadataHistory,
  listSeriesCovers,
  listSeriesMetadataHistory,
  type MetadataApplyRequest,
  type MetadataApplyResponse,
  type MetadataPreviewResponse,
  type MetadataSearchRequest,
  type MetadataSearchResponse,
  type MetadataSources,
  previewBookMatch,
  previewSeriesMatch,
  readBook,
  readBookMetadata,
  readBookMetadataSources,
  readSeries,
  readSeriesMetadata,
  readSeriesMetadataSources,
  searchBookMetadata,
  searchSeriesMetadata,
  undoBookMetadata,
  undoSeriesMetadata,
} from '@carrel/api'

interface ById {
  readonly params: { readonly id: string }
}

interface Shown {
  readonly title: string
  readonly libraryId: string
  readonly coverVersion: string
  readonly placeholder: string | null
}

/** It is the common shape of series and books for matching. */
export interface Matchable {
  readonly kind: 'series' | 'book'
  readonly permission: 'series:write' | 'books:write'
  readonly read: Endpoint<ById, Shown>
  readonly readMetadata: Endpoint<ById>
  readonly readSources: Endpoint<ById, MetadataSources>
  readonly search: Endpoint<ById & { readonly body: MetadataSearchRequest }, MetadataSearchResponse>
  readonly preview: Endpoint<
    ById & { readonly body: { readonly pluginId: string; readonly externalId: string } },
    MetadataPreviewResponse
  >
  readonly apply: Endpoint<ById & { readonly body: MetadataApplyRequest }, MetadataApplyResponse>
  readonly undo: Endpoint<
    ById & { readonly body: { readonly historyId: string } },
    { readonly conflicts: readonly string[] }
  >
  /** These reads are stale once something was applied. */
  readonly old: readonly Endpoint[]
}

export const matchables: Readonly<Record<Matchable['kind'], Matchable>> = {
  series: {
    kind: 'series',
    permission: 'series:write',
    read: readSeries,
    readMetadata: readSeriesMetadata,
    readSources: readSeriesMetadataSources,
    search: searchSeriesMetadata,
    preview: previewSeriesMatch,
    apply: applySeriesMatch,
    undo: undoSeriesMetadata,
    old: [readSeries, readSeriesMetadata, readSeriesMetadataSources, listSeriesMetadataHistory, listSeriesCovers],
  },
  book: {
    kind: 'book',
    permission: 'books:write',
    read: readBook,
    readMetadata: readBookMetadata,
    readSources: readBookMetadataSources,
    search: searchBookMetadata,
    preview: previewBookMatch,
    apply: applyBookMatch,
    undo: undoBookMetadata,
    old: [readBook, readBookMetadata, readBookMetadataSources, listBookMetadataHistory, listBookCovers],
  },
}
