import type { BookBulkEdit, SeriesBulkEdit } from '@carrel/api'
import { cleaned } from './draft.ts'
import type { FieldName } from '../../metadata/fields.ts'

type BulkMode = 'set' | 'add' | 'remove'

/** It says how one field of all of them changes. */
export interface BulkStep {
  readonly field: FieldName
  readonly mode: BulkMode
  readonly value: unknown
}

export type BulkBody = Pick<SeriesBulkEdit & BookBulkEdit, 'patch' | 'add' | 'remove'>

/** The steps in the words of the contract; each field once in each. */
export const bulkBody = (steps: readonly BulkStep[]): BulkBody => {
  const of = (mode: BulkMode) =>
    Object.fromEntries(
      steps.filter((step) => step.mode === mode).map(({ field, value }) => [field, cleaned(field, value)]),
    )
  const [patch, add, remove] = [of('set'), of('add'), of('remove')]
  return {
    ...(Object.keys(patch).length > 0 && { patch }),
    ...(Object.keys(add).length > 0 && { add }),
    ...(Object.keys(remove).length > 0 && { remove }),
  }
}

/** Steps that say nothing yet are not sent: adding nothing, or what is no JSON. */
export const isReady = ({ field, mode, value }: BulkStep): boolean => {
  const clean = cleaned(field, value)
  return clean !== undefined && (mode === 'set' || (Array.isArray(clean) && clean.length > 0))
}
