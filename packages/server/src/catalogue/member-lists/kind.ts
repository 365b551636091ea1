import type { Permission, ReadingAhead, SeriesCondition, ServerEvent } from '@carrel/api'
import type { RawBuilder } from 'kysely'
import type { Database, ReadDb } from '../../database/database.ts'
import type { Flag } from '../../database/flag.ts'
import type { OrderedTable } from '../../database/positions.ts'
import type { Viewer } from '../visibility/visibility.ts'

/** A kind of named lists of series or books, which people put together: what tells it from the others. */
export interface ListKind<List = unknown, Member = unknown> {
  readonly name: 'collection' | 'read list'
  readonly table: 'collection' | 'read_list'
  readonly content: 'series' | 'book'
  readonly members: OrderedTable & { readonly table: 'collection_series' | 'read_list_book' }
  /** When a member last came, left or was moved is kept here, and outlives its place in the list. */
  readonly changes: 'collection_series_change' | 'read_list_book_change'
  /** A list may have a condition instead of members: what fulfils it, for whoever looks, is in it. */
  readonly isAutomatic: boolean
  /** Entries have ids of their own: what they stand for may not be there yet. */
  readonly hasEntryIds: boolean
  /** A list has an order of its own unless its maker says otherwise. */
  readonly isOrdered: boolean
  readonly mayRead: Permission
  readonly mayChange: Permission
  readonly events: (id: string) => {
    readonly created: ServerEvent
    readonly updated: ServerEvent
    readonly deleted: ServerEvent
  }
  readonly toList: (row: CountedList, listViewer: { readonly mayChange: boolean }) => List
  /** The content that a statement names behind its columns. */
  readonly show: (db: ReadDb, viewer: Viewer, behind: RawBuilder<unknown>) => Promise<readonly Member[]>
}

export interface ListRow {
  readonly id: string
  readonly name: string
  readonly name_key: string
  readonly sort_key: string
  readonly summary: string | null
  /** Its members have an order of their own. */
  readonly ordered: Flag
  /** JSON, where the kind may be automatic: its members are what fulfils it, and none are kept. */
  readonly condition?: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Files name it by this key; null: people have made it. */
  readonly files_key: string | null
  /** It holds what files say. */
  readonly follows_files: Flag
}

/** The counts are those of one viewer. */
export interface CountedList extends ListRow {
  readonly member_count: number
  /** When something was last said of it, or a member that they see came, left or was moved. */
  readonly changed_at: string
}

/** It is a viewer of lists of one kind. A viewer who may change them sees empty ones too. */
export interface ListViewer<List = unknown, Member = unknown> {
  readonly kind: ListKind<List, Member>
  readonly viewer: Viewer
  readonly mayChange: boolean
  readonly automaticCounts: AutomaticCounts
}

/**
 * It caches what was worked out about automatic lists for somebody, and is valid as long as nobody commits
 * anything.
 */
export interface AutomaticCounts {
  /** The key is a condition, the value the number of members that fulfil it. */
  readonly counts: Map<string, number>
  /** The key is a condition, the value the first few of its members. */
  readonly firsts: Map<string, readonly string[]>
  /** The lists that something is in. */
  fulfilled?: readonly string[]
}

/** It starts with an empty cache: the counts of automatic lists are computed when they are needed. */
export const listViewerFor = <List, Member>(
  kind: ListKind<List, Member>,
  viewer: Viewer,
  mayChange: boolean,
): ListViewer<List, Member> => ({ kind, viewer, mayChange, automaticCounts: { counts: new Map(), firsts: new Map() } })

export interface NewList {
  readonly name: string
  readonly summary?: string | null
  readonly ordered?: boolean
  readonly condition?: SeriesCondition | null
  readonly followsFiles?: boolean
}

/** Whoever asks for more than `followsFiles` has changed the list, which then follows no files. */
export type ListPatch = Partial<NewList>

/** How far somebody is in a list; whoever knows what they have read tells it. */
export type ReadListAhead = (db: Database, listViewer: ListViewer, id: string, now: Date) => Promise<ReadingAhead>
