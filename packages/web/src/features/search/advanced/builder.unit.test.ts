import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCondition } from '../../../../test/conditions.ts'
import {
  allOf,
  anyOf,
  conditionText,
  leafOf,
  negated,
  parseConditionText,
  type Tree,
} from '../../../text/condition-text.ts'
import { duplicated, findPart, type Group, groupFrom, moved, movedInto, type Part, treeOf } from './builder.ts'
import { conditionFromJson } from './condition-json.ts'

/** A double negation is none: the builder shows at most one. */
const simple = (tree: Tree): Tree => {
  const inner = negated(tree)
  if (inner) {
    const twice = negated(inner)
    return twice ? simple(twice) : { not: simple(inner) }
  }
  const all = allOf(tree)
  if (all) return { allOf: all.map(simple) }
  const any = anyOf(tree)
  if (any) return { anyOf: any.map(simple) }
  const [field, told] = leafOf(tree)
  return { [field]: told }
}
const isLeaf = (tree: Tree): boolean => !allOf(tree) && !anyOf(tree)

/** A single test has a list around it in the builder, and a list around nothing but a group is that group. */
const asBuilt = (tree: Tree): Tree => {
  const inner = negated(tree)
  if (isLeaf(tree) && (inner === undefined || isLeaf(inner))) return { allOf: [tree] }
  const [only, ...others] = allOf(tree) ?? []
  return only && others.length === 0 && !isLeaf(negated(only) ?? only) ? asBuilt(only) : tree
}

const partsOf = (part: Part): readonly Part[] => [
  part,
  ...(part.kind === 'group' ? part.children.flatMap(partsOf) : []),
]
const rulesOf = (root: Group): readonly number[] =>
  partsOf(root)
    .filter(({ kind }) => kind === 'rule')
    .map(({ id }) => id)
    .toSorted((one, other) => one - other)

test.each(['series', 'books'] as const)('any condition over %s: address, builder and back again', (target) => {
  fc.assert(
    fc.property(anyCondition[target], (condition) => {
      const fromAddress = parseConditionText(target, conditionText(target, condition))
      const built = treeOf(target, groupFrom(fromAddress))
      expect(built).toEqual(asBuilt(simple(condition)))
    }),
  )
})

test('a group that was twice not, with a list of its own around it', () => {
  const condition: Tree = { not: { not: { allOf: [{ allOf: [] }] } } }
  const fromAddress = parseConditionText('series', conditionText('series', condition))
  expect(treeOf('series', groupFrom(fromAddress))).toEqual({ allOf: [] })
})

test('moving and copying lose nothing, double nothing and put nothing into itself', () => {
  const directions = fc.constantFrom('up', 'down', 'in', 'out')
  const pick = fc.nat({ max: 1000 })
  fc.assert(
    fc.property(
      anyCondition.series,
      fc.array(fc.tuple(pick, pick, pick, directions), { maxLength: 12 }),
      (condition, steps) => {
        let root = groupFrom(condition)
        const rules = rulesOf(root)
        for (const [first, second, third, direction] of steps) {
          const parts = partsOf(root)
          const groups = parts.filter(({ kind }) => kind === 'group')
          const id = parts[first % parts.length]?.id ?? 0
          root = moved(root, id, direction)
          root = movedInto(root, id, {
            groupId: groups[second % groups.length]?.id ?? 0,
            beforeId: parts[third % parts.length]?.id,
          })
          expect(rulesOf(root)).toEqual(rules)
          const copies = duplicated(root, id)
          expect(new Set(partsOf(copies).map((part) => part.id)).size).toBe(partsOf(copies).length)
        }
      },
    ),
  )
})

test("up and down are each other's opposite, and so are in and out", () => {
  const root = groupFrom(parseConditionText('series', 'title=a (genre=b or genre=c) tag=d'))
  const [first, group, last] = root.children
  const text = (each: Group): string => conditionText('series', treeOf('series', each) ?? { allOf: [] })
  const id = last?.id ?? 0
  expect(text(moved(moved(root, id, 'up'), id, 'down'))).toBe(text(root))
  const inside = moved(root, id, 'in')
  expect(text(inside)).toBe('title=a (genre=b or genre=c or tag=d)')
  expect(text(moved(inside, id, 'out'))).toBe(text(root))
  expect(moved(root, first?.id ?? 0, 'up')).toEqual(root)
  expect(findPart(root, group?.id ?? 0)).toEqual(group)
})

test.each([
  ['{"allOf": [', 'json', '1'],
  ['{\n"allOf": [}\n', 'json', '2'],
  ['[]', 'object', ''],
  ['{"genre": {"operator": "is", "value": "a"}, "tag": {}}', 'one', ''],
  ['{"allOf": {}}', 'list', '/allOf'],
  ['{"anyOf": [{"nothing": {"operator": "is"}}]}', 'field', '/anyOf/0/nothing'],
  ['{"not": {"year": {"operator": "contains"}}}', 'operator', '/not/year/operator'],
  ['{"year": {"operator": "gt", "value": "soon"}}', 'value', '/year'],
  ['{"readStatus": {"operator": "is", "value": "half"}}', 'value', '/readStatus'],
  [`${'{"not":'.repeat(9)}{"completion":{"operator":"isTrue"}}${'}'.repeat(9)}`, 'deep', '/not'.repeat(9)],
])('%s is no condition, and it is said where', (text, fault, at) => {
  expect(conditionFromJson('series', text)).toEqual({ fault, at })
})

test('any condition that is not too large is taken as JSON', () => {
  fc.assert(
    fc.property(anyCondition.books, (condition) => {
      const outcome = conditionFromJson('books', JSON.stringify(condition))
      const isTooLarge = 'fault' in outcome && (outcome.fault === 'deep' || outcome.fault === 'many')
      expect(isTooLarge ? undefined : outcome).toEqual(
        isTooLarge ? undefined : { tree: JSON.parse(JSON.stringify(condition)) },
      )
    }),
  )
})
