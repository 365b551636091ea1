export * from './access.ts'
export * from './annotations.ts'
export * from './api-keys.ts'
export * from './auto-matching.ts'
export * from './backups.ts'
export * from './book-errors.ts'
export * from './book-title.ts'
export * from './books.ts'
export * from './bulk-edits.ts'
export * from './client.ts'
export * from './collections.ts'
export * from './conditions.ts'
export * from './connections.ts'
export * from './contents.ts'
export * from './cover-tone.ts'
export * from './covers.ts'
export * from './devices.ts'
export * from './download-metadata.ts'
export * from './editing.ts'
export * from './duplicates.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export * from './events.ts'
export * from './example-library.ts'
export * from './exports.ts'
export { bookTypes, fieldsOfBooks } from './fields/books.ts'
export {
  type FieldGroup,
  type FieldShape,
  matchGroups,
  type MetadataField,
  type MetadataFields,
  type RowColumn,
  type RowsName,
  sections,
} from './fields/field.ts'
export {
  columnName,
  type ColumnName,
  type ConditionKinds,
  conditionName,
  exportKeyOf,
  type ExportKeys,
  type FacetName,
  lockableNames,
  lockOf,
  shownNames,
} from './fields/lists.ts'
export type { ExternalIdDto, ExternalLinkDto, ShownRows } from './fields/rows.ts'
export type { ShownValue } from './fields/schemas.ts'
export { fieldsOfSeries, seriesStatuses } from './fields/series.ts'
export * from './file-formats.ts'
export * from './files.ts'
export * from './filter-presets.ts'
export * from './following.ts'
export * from './fonts.ts'
export * from './found-covers.ts'
export * from './home.ts'
export * from './imports.ts'
export * from './inventory.ts'
export * from './libraries.ts'
export * from './library-jobs.ts'
export { languageNames } from './language-names.ts'
export { isLanguage, type Language, languageFor, languages } from './languages.ts'
export * from './lists.ts'
export * from './matching.ts'
export {
  coversOfListMax,
  type MemberCover,
  automaticCollectionsMax,
  listNameMax,
  membersAtOnceMax,
  membersBytesMax,
  membersMax,
  NewPosition,
} from './member-lists.ts'
export * from './metadata.ts'
export * from './moves.ts'
export * from './oidc.ts'
export * from './pages.ts'
export * from './permissions.ts'
export * from './plugin-records.ts'
export * from './plugins.ts'
export * from './ratings.ts'
export * from './scans.ts'
export * from './read-lists.ts'
export * from './reader-settings.ts'
export * from './reading-ahead.ts'
export * from './reading-history.ts'
export * from './reading-stats.ts'
export * from './recommendations.ts'
export * from './reading.ts'
export * from './bulk-marks.ts'
export * from './schema.ts'
export * from './search.ts'
export * from './status.ts'
export * from './series.ts'
export * from './series-status.ts'
export * from './settings.ts'
export * from './sign-in-activity.ts'
export * from './sign-in.ts'
export * from './system.ts'
export * from './tasks.ts'
export * from './templates.ts'
export * from './terms.ts'
export * from './users.ts'
export * from './want-to-read.ts'
export * from './user-plugins.ts'
