import { isDeepStrictEqual } from 'node:util'
import type { FieldStatus, MatchedField, MetadataFieldPreview, MetadataPreviewResponse } from '@carrel/api'
import type { State } from '../../editing/editing.ts'
import { inLayers, recordOf } from '../../../catalogue/metadata/metadata.ts'
import { fieldsOf, mayWrite } from '../applying/fields.ts'
import type { Proposal } from './proposals.ts'

interface PreviewInput {
  readonly state: State
  readonly proposal: Proposal
  readonly permissions: ReadonlySet<string>
  /** Where the cover that the plugin has given it came from. */
  readonly coverUrl: string | null
}

/** It says what would become of every field that a plugin may speak of, and why. */
export const previewOf = ({ state, proposal, permissions, coverUrl }: PreviewInput): MetadataFieldPreview[] =>
  fieldsOf(state.entity).map((field) => {
    const currentValue = field === 'cover' ? coverUrl : (state.record[field] ?? null)
    const proposed = proposal[field]
    if (proposed === undefined)
      return { field, status: 'not_provided', currentValue, proposedValue: null, reason: null }
    const proposedValue = shownAs(state, field, proposed)
    const held = heldBy(state, field)
    const isAllowed = mayWrite(permissions, field)
    const status = statusOf({
      isAllowed,
      isHeld: held !== null,
      isSame: isDeepStrictEqual(currentValue, proposedValue),
    })
    const reason = status === 'locked' ? held : status === 'no_permission' ? 'no permission' : null
    return { field, status, currentValue, proposedValue, reason }
  })

const statusOf = (of: { isAllowed: boolean; isHeld: boolean; isSame: boolean }): FieldStatus => {
  if (!of.isAllowed) return 'no_permission'
  if (of.isSame) return 'unchanged'
  return of.isHeld ? 'locked' : 'will_apply'
}

const heldBy = ({ words }: State, field: MatchedField): string | null => {
  const name = inLayers(field)
  if (words.lock[name] !== undefined) return 'locked'
  return words.user[name] === undefined ? null : 'said by people'
}

interface Id {
  readonly source: string
}

/** It returns the value the way the contract shows it. Ids stand beside those of services the plugin does not speak of. */
const shownAs = ({ entity, record }: State, field: MatchedField, value: unknown): unknown => {
  if (field === 'cover') return value
  const metadata = JSON.stringify({ [inLayers(field)]: value })
  const shown = (recordOf(entity, { metadata, locks: '[]' }) as Readonly<Record<string, unknown>>)[field]
  if (field !== 'externalIds') return shown
  const externalIds = (record['externalIds'] ?? []) as readonly Id[]
  const proposed = shown as readonly Id[]
  const named = new Set(proposed.map(({ source }) => source))
  const isKnown = proposed.every((each) => externalIds.some((other) => isDeepStrictEqual(each, other)))
  return isKnown ? externalIds : [...externalIds.filter(({ source }) => !named.has(source)), ...proposed]
}

export const summaryOf = (fields: readonly MetadataFieldPreview[]): MetadataPreviewResponse['summary'] => {
  const count = (status: FieldStatus) => fields.filter((each) => each.status === status).length
  return {
    willApply: count('will_apply'),
    locked: count('locked'),
    noPermission: count('no_permission'),
    unchanged: count('unchanged'),
    notProvided: count('not_provided'),
  }
}
