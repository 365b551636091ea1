import { expect, test } from 'vitest'
import { explain, type Reason } from './explain.ts'

const own: Reason = { kind: 'own' }
const group = (id: string, more: { libraries?: 'all' | string[]; ageCeiling?: number | null } = {}) => ({
  id,
  name: `group ${id}`,
  libraries: more.libraries ?? ('all' as const),
  ageCeiling: more.ageCeiling ?? null,
})
const of = (id: string): Reason => ({ kind: 'group', id, name: `group ${id}` })
const access = { ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const nothing = { ageCeiling: null, includeUnrated: false, grants: [] }

test('AUTH-7 who is narrowed by nothing sees all, for no reason', () => {
  const user = { access: { ...access, libraries: 'all' as const, groups: ['a'] } }

  expect(explain({ ...nothing, libraries: 'all' }, user, [group('a')])).toEqual({
    libraries: 'all',
    age: undefined,
    allowed: [],
    denied: [],
  })
})

test('AUTH-7 each library is there because of all the rules that list it, and of nobody else’s groups', () => {
  const user = { access: { ...access, libraries: ['comics'], groups: ['a', 'b'] } }
  const groups = [
    group('a', { libraries: ['manga', 'comics'] }),
    group('b'),
    group('not theirs', { libraries: ['comics'] }),
  ]

  expect(explain({ ...nothing, libraries: ['comics', 'manga'] }, user, groups).libraries).toEqual([
    { id: 'comics', because: [own, of('a')] },
    { id: 'manga', because: [of('a')] },
  ])
})

test('AUTH-7 the ceiling is there because of the strictest rules, which may be several', () => {
  const user = { access: { ...access, libraries: 'all' as const, ageCeiling: 16, groups: ['a', 'b', 'c'] } }
  const groups = [group('a', { ageCeiling: 12 }), group('b', { ageCeiling: 12 }), group('c')]
  const effective = { ...nothing, libraries: 'all' as const, ageCeiling: 12, includeUnrated: true }

  expect(explain(effective, user, groups).age).toEqual({
    ceiling: 12,
    includeUnrated: true,
    because: [of('a'), of('b')],
  })
})

test('AUTH-7 tags carry the reasons the server gives', () => {
  const user = { access: { ...access, libraries: 'all' as const, groups: [] } }
  const grants = [
    { accessMode: 'allow' as const, sharingTagId: '1', sharingTagName: 'kids', sources: [{ kind: 'user' as const }] },
    {
      accessMode: 'deny' as const,
      sharingTagId: '2',
      sharingTagName: 'gore',
      sources: [{ kind: 'group' as const, groupId: 'a', groupName: 'group a' }, { kind: 'user' as const }],
    },
  ]

  const explained = explain({ ...nothing, libraries: 'all', grants }, user, [])

  expect(explained.allowed).toEqual([{ name: 'kids', because: [own] }])
  expect(explained.denied).toEqual([{ name: 'gore', because: [of('a'), own] }])
})
