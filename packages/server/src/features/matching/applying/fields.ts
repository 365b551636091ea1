import {
  columnName,
  type FieldGroup,
  fieldsOfBooks,
  fieldsOfSeries,
  type MatchedField,
  matchedBookFields,
  matchedFields,
  matchedSeriesFields,
  matchGroups,
  type MetadataFields,
} from '@carrel/api'
import type { Entity } from '../../../catalogue/metadata/metadata.ts'

export const fieldsOf = (entity: Entity): readonly MatchedField[] =>
  entity === 'series' ? matchedSeriesFields : matchedBookFields

/** What is said of a field of both is the same of either. */
const allFields: MetadataFields = { ...fieldsOfBooks, ...fieldsOfSeries }

/** What plugins are granted, as the world of plugins calls it. */
const permissionOf = (field: MatchedField): string => allFields[field]?.permission ?? columnName(field)

/** `metadata:write:<what>`; `metadata:write:*` and `metadata:*` are all of them. */
export const mayWrite = (permissions: ReadonlySet<string>, field: MatchedField): boolean =>
  ['metadata:*', 'metadata:write', 'metadata:write:*', `metadata:write:${permissionOf(field)}`].some((each) =>
    permissions.has(each),
  )

interface Group {
  readonly label: string
  readonly fields: readonly MatchedField[]
}

export const groups = Object.fromEntries<Group>(
  Object.entries(matchGroups).map(([group, label]) => [
    group,
    { label, fields: matchedFields.filter((field) => allFields[field]?.match === group) },
  ]),
) as Readonly<Record<FieldGroup, Group>>
