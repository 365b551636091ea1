import type { EventTables } from '../events/table.ts'
import type { AccessTables } from '../features/access/table.ts'
import type { ApiKeyTables } from '../features/api-keys/table.ts'
import type { OidcTables } from '../features/oidc/table.ts'
import type { ClientSettingTables } from '../features/client-settings/table.ts'
import type { PreferenceTables } from '../features/preferences/table.ts'
import type { SessionTables } from '../features/sessions/table.ts'
import type { SettingTables } from '../features/settings/table.ts'
import type { SignInTables } from '../features/sign-in/table.ts'
import type { SignInActivityTables } from '../features/sign-in-activity/table.ts'
import type { UserTables } from '../features/users/table.ts'
import { type BookTables, type SeriesTables } from '../catalogue/shown/table.ts'
import type { MemberListTables } from '../catalogue/member-lists/table.ts'
import type { CoverTables } from '../features/covers/table.ts'
import type { DuplicateTables } from '../features/duplicates/table.ts'
import type { KoreaderTables } from '../features/koreader/table.ts'
import type { LibraryTables } from '../features/libraries/table.ts'
import type { MetadataTables } from '../catalogue/metadata/table.ts'
import type { PageTables } from '../features/pages/table.ts'
import type { ReadingTables } from '../features/reading/table.ts'
import type { ScanTables } from '../features/scan/table.ts'
import type { SearchIndexTables } from '../catalogue/search-index/table.ts'
import type { CollectionTables } from '../features/collections/table.ts'
import type { EditingTables } from '../features/editing/table.ts'
import type { ExportTables } from '../features/exports/table.ts'
import type { FollowingTables } from '../features/following/table.ts'
import type { ImportTables } from '../features/imports/table.ts'
import type { FilterPresetTables } from '../features/filter-presets/table.ts'
import type { MatchingTables } from '../features/matching/table.ts'
import type { MergingTables } from '../features/merging/table.ts'
import type { PluginTables } from '../features/plugins/table.ts'
import type { RatingTables } from '../features/ratings/table.ts'
import type { RecommendationTables } from '../features/recommendations/table.ts'
import type { ReaderSettingTables } from '../features/reader-settings/table.ts'
import type { ReadListTables } from '../features/read-lists/table.ts'
import type { AnnotationTables } from '../features/annotations/table.ts'
import type { ConnectionTables } from '../features/connections/table.ts'
import type { FontTables } from '../features/fonts/table.ts'
import type { SeriesStatusTables } from '../features/series-status/table.ts'
import type { TermTables } from '../catalogue/terms/table.ts'
import type { UserPluginTables } from '../features/user-plugins/table.ts'
import type { WantToReadTables } from '../features/want-to-read/table.ts'
import type { TaskTables } from '../tasks/table.ts'
import type { OwnTables } from './table.ts'

/** Every table, each described by the feature that writes it. */
export type Schema = AccessTables &
  AnnotationTables &
  FontTables &
  BookTables &
  CollectionTables &
  ConnectionTables &
  CoverTables &
  DuplicateTables &
  EditingTables &
  ImportTables &
  KoreaderTables &
  LibraryTables &
  MatchingTables &
  MemberListTables &
  MergingTables &
  MetadataTables &
  PageTables &
  PluginTables &
  RatingTables &
  ReadingTables &
  ReaderSettingTables &
  RecommendationTables &
  ReadListTables &
  ScanTables &
  SearchIndexTables &
  SeriesTables &
  EventTables &
  FollowingTables &
  SeriesStatusTables &
  ExportTables &
  FilterPresetTables &
  ApiKeyTables &
  OidcTables &
  OwnTables &
  ClientSettingTables &
  PreferenceTables &
  SessionTables &
  SettingTables &
  SignInTables &
  SignInActivityTables &
  TaskTables &
  TermTables &
  UserPluginTables &
  UserTables &
  WantToReadTables
