import type { FieldTests } from '@carrel/api'
import type { ConditionOf } from '../../../filtering/filtering.ts'

/** What they ask of each field, in our words. */
export interface CompatTests {
  readonly libraryId: FieldTests['id']
  readonly collectionId: FieldTests['id']
  readonly readListId: FieldTests['id']
  readonly seriesId: FieldTests['id']
  readonly deleted: FieldTests['flag']
  readonly oneShot: FieldTests['flag']
  readonly complete: FieldTests['flag']
  readonly title: FieldTests['text']
  readonly titleSort: FieldTests['text']
  readonly tag: FieldTests['text']
  readonly genre: FieldTests['text']
  readonly sharingTag: FieldTests['text']
  readonly publisher: FieldTests['text']
  readonly language: FieldTests['text']
  readonly seriesStatus: FieldTests['text']
  readonly mediaStatus: FieldTests['text']
  readonly mediaProfile: FieldTests['text']
  readonly numberSort: FieldTests['number']
  readonly ageRating: FieldTests['number']
  readonly releaseYear: FieldTests['number']
  readonly readStatus: FieldTests['status']
  /** Days such as `2026-11-21`: later than one, earlier than one, or any at all. */
  readonly releaseDate:
    | { readonly operator: 'after' | 'before'; readonly value: string }
    | { readonly operator: 'isNotNull' }
  /** The first letter is one of these. */
  readonly initial: { readonly of: 'title' | 'titleSort'; readonly from: string; readonly to: string }
  readonly author: { readonly name: string | undefined; readonly role: string | undefined }
  readonly poster: { readonly type: string | undefined; readonly selected: boolean | undefined }
  /** It has been changed since it came. */
  readonly changed: true
}

export type Field = keyof CompatTests

/**
 * A condition of these applications, read as one of ours: every spelling of the same condition is the same here, and
 * negative ones stand in a `not`.
 */
export type CompatCondition = ConditionOf<{ [Name in Field]: { readonly [Only in Name]: CompatTests[Name] } }[Field]>

/** It holds for everything. */
export const everything: CompatCondition = { allOf: [] }

export const not = (options: CompatCondition): CompatCondition => ('not' in options ? options.not : { not: options })

/** With several values any one of them is enough; without values everything matches. */
export const anyOf = (conditions: readonly CompatCondition[]): readonly CompatCondition[] =>
  conditions.length === 0 ? [] : [{ anyOf: conditions }]

/** Whoever calls it has looked up which tests the field has. */
export const that = (field: Field, test: CompatTests[Field]): CompatCondition => ({ [field]: test }) as CompatCondition

export const equal = (field: Field, value: string): CompatCondition => that(field, { operator: 'is', value })

const valueIn = (options: CompatCondition, field: Field): string | undefined => {
  const test = (options as Readonly<Record<string, { operator?: string; value?: string } | undefined>>)[field]
  return test?.operator === 'is' ? test.value : undefined
}

/** The ids that one field of the options names, however deep. */
export const idsNamed = (options: CompatCondition, field: Field): string[] => {
  if ('not' in options) return idsNamed(options.not, field)
  const parts = 'allOf' in options ? options.allOf : 'anyOf' in options ? options.anyOf : undefined
  return parts
    ? parts.flatMap((each) => idsNamed(each, field))
    : [valueIn(options, field)].filter((id) => id !== undefined)
}

/** The one value that a field must have for the whole to hold, where that is so, and what is left of the options then. */
export const splitOff = (
  options: CompatCondition,
  field: Field,
): { readonly value: string | undefined; readonly rest: CompatCondition } => {
  const own = valueIn(options, field)
  if (own !== undefined) return { value: own, rest: everything }
  const parts =
    'allOf' in options ? options.allOf : 'anyOf' in options && options.anyOf.length === 1 ? options.anyOf : []
  for (const [index, part] of parts.entries()) {
    const { value, rest } = splitOff(part, field)
    if (value !== undefined) return { value, rest: { allOf: parts.with(index, rest) } }
  }
  return { value: undefined, rest: options }
}
