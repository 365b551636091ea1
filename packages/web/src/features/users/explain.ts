import type { AccessGroupDto, EffectiveAccess, GrantSource, UserDto } from '@carrel/api'

/** A rule holds because it is the user's own, or that of a group they are in. */
export type Reason = { readonly kind: 'own' } | { readonly kind: 'group'; readonly id: string; readonly name: string }

interface ExplainedTag {
  readonly name: string
  readonly because: readonly Reason[]
}

export interface Explained {
  readonly libraries: 'all' | readonly { readonly id: string; readonly because: readonly Reason[] }[]
  readonly age:
    | { readonly ceiling: number; readonly includeUnrated: boolean; readonly because: readonly Reason[] }
    | undefined
  readonly allowed: readonly ExplainedTag[]
  readonly denied: readonly ExplainedTag[]
}

interface Rule {
  readonly libraries: 'all' | readonly string[]
  readonly ageCeiling: number | null
  readonly reason: Reason
}

/** It explains the access the server has worked out by the user's rules. */
export const explain = (
  { libraries, ageCeiling, includeUnrated, grants }: EffectiveAccess,
  { access }: Pick<UserDto, 'access'>,
  allGroups: readonly Pick<AccessGroupDto, 'id' | 'name' | 'libraries' | 'ageCeiling'>[],
): Explained => {
  const rules: readonly Rule[] = [
    { ...access, reason: { kind: 'own' } },
    ...allGroups
      .filter(({ id }) => access.groups.includes(id))
      .map((group) => ({ ...group, reason: { kind: 'group', id: group.id, name: group.name } as const })),
  ]
  const because = (holds: (rule: Rule) => boolean): Reason[] => rules.filter(holds).map(({ reason }) => reason)
  const tagsOf = (mode: 'allow' | 'deny'): ExplainedTag[] =>
    grants
      .filter(({ accessMode }) => accessMode === mode)
      .map(({ sharingTagName, sources }) => ({ name: sharingTagName, because: sources.map(reasonOf) }))
  return {
    libraries:
      libraries === 'all'
        ? 'all'
        : libraries.map((id) => ({ id, because: because((rule) => listed(rule).includes(id)) })),
    age:
      ageCeiling === null
        ? undefined
        : { ceiling: ageCeiling, includeUnrated, because: because((rule) => rule.ageCeiling === ageCeiling) },
    allowed: tagsOf('allow'),
    denied: tagsOf('deny'),
  }
}

const listed = ({ libraries }: Rule): readonly string[] => (libraries === 'all' ? [] : libraries)

const reasonOf = ({ kind, groupId, groupName }: GrantSource): Reason =>
  kind === 'user' ? { kind: 'own' } : { kind: 'group', id: groupId ?? '', name: groupName ?? '' }
