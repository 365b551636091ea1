import type { ConditionTarget, FieldKind } from '@carrel/api'
import { allOf, anyOf, fieldsOf, leafOf, negated, type Test, type Tree } from '../../../text/condition-text.ts'

/** One test of one field, as it is being put together: what it takes may still be missing. */
export interface Rule {
  readonly id: number
  readonly kind: 'rule'
  readonly isNot: boolean
  readonly field: string
  readonly test: Test
}

export interface Group {
  readonly id: number
  readonly kind: 'group'
  readonly isNot: boolean
  readonly join: 'allOf' | 'anyOf'
  readonly children: readonly Part[]
}

export type Part = Rule | Group

let lastId = 0
const newId = (): number => {
  lastId += 1
  return lastId
}

const partFrom = (tree: Tree, isNot: boolean): Part => {
  const inner = negated(tree)
  // Twice not is as it was.
  if (inner) return partFrom(inner, !isNot)
  const all = allOf(tree)
  const children = all ?? anyOf(tree)
  if (children) {
    return {
      id: newId(),
      kind: 'group',
      isNot,
      join: all ? 'allOf' : 'anyOf',
      children: children.map((child) => partFrom(child, false)),
    }
  }
  const [field, test] = leafOf(tree)
  return { id: newId(), kind: 'rule', isNot, field, test }
}

/** A condition as the builder shows it: the outermost is always a group. */
export const groupFrom = (tree: Tree): Group => {
  const part = partFrom(tree, false)
  if (part.kind === 'rule') return { id: newId(), kind: 'group', isNot: false, join: 'allOf', children: [part] }
  return unwrapped(part)
}

/** An address has a list around everything, and what was twice not may have one more. */
const unwrapped = (group: Group): Group => {
  const [only, ...others] = group.children
  const isWrapped = group.join === 'allOf' && !group.isNot && others.length === 0 && only?.kind === 'group'
  return isWrapped ? unwrapped(only) : group
}

/** It is the finished part of the condition; `undefined` when nothing is finished yet. */
export const treeOf = (target: ConditionTarget, part: Part): Tree | undefined => {
  const tree = plainTreeOf(target, part)
  return tree && part.isNot ? { not: tree } : tree
}

const plainTreeOf = (target: ConditionTarget, part: Part): Tree | undefined => {
  if (part.kind === 'rule')
    return isFinished(kindOf(target, part.field), part.test) ? { [part.field]: part.test } : undefined
  const children = part.children.map((child) => treeOf(target, child)).filter((child) => child !== undefined)
  // An empty group says something, one whose rules are all unfinished does not.
  if (children.length === 0 && part.children.length > 0) return undefined
  return part.join === 'allOf' ? { allOf: children } : { anyOf: children }
}

export const kindOf = (target: ConditionTarget, field: string): FieldKind => fieldsOf(target)[field] ?? 'text'

export const isFinished = (kind: FieldKind, { operator, value, values }: Test): boolean => {
  if (['isNull', 'isNotNull', 'isTrue', 'isFalse', 'between'].includes(operator)) return true
  if (operator === 'in' || operator === 'notIn') return values !== undefined
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value)
  return typeof value === 'string' && (kind === 'text' || value !== '')
}

/** The same test over another operator keeps what both can take. */
export const withOperator = (test: Test, operator: string): Test => {
  const { value, values, min, max, start, end } = test
  if (['isNull', 'isNotNull', 'isTrue', 'isFalse'].includes(operator)) return { operator }
  if (operator === 'between') {
    if (typeof value === 'number') return { operator, min: value, max: null }
    return start !== undefined || end !== undefined
      ? { operator, start: start ?? null, end: end ?? null }
      : { operator, min: min ?? null, max: max ?? null }
  }
  if (operator === 'in' || operator === 'notIn') {
    return { operator, values: values ?? (typeof value === 'string' && value !== '' ? [value] : []) }
  }
  const initial = value ?? values?.[0] ?? min ?? start ?? undefined
  return initial === undefined || initial === null ? { operator } : { operator, value: initial }
}

const firstOperator: Readonly<Record<FieldKind, string>> = {
  text: 'is',
  status: 'is',
  id: 'is',
  flag: 'isTrue',
  number: 'gte',
  date: 'after',
}

export const newRule = (target: ConditionTarget, field: string): Rule => {
  const kind = kindOf(target, field)
  const operator = firstOperator[kind]
  return {
    id: newId(),
    kind: 'rule',
    isNot: false,
    field,
    test: kind === 'status' ? { operator, value: 'unread' } : { operator },
  }
}

export const newGroup = (join: Group['join'], children: readonly Part[] = []): Group => ({
  id: newId(),
  kind: 'group',
  isNot: false,
  join,
  children,
})

/** A copy with names of its own. */
const copied = (part: Part): Part =>
  part.kind === 'rule' ? { ...part, id: newId() } : { ...part, id: newId(), children: part.children.map(copied) }

const mapChildren = (group: Group, change: (children: readonly Part[], group: Group) => readonly Part[]): Group => ({
  ...group,
  children: change(group.children, group).map((child) => (child.kind === 'group' ? mapChildren(child, change) : child)),
})

export const replaced = (root: Group, id: number, change: (part: Part) => Part): Group => {
  if (root.id === id) {
    const next = change(root)
    return next.kind === 'group' ? next : root
  }
  return mapChildren(root, (children) => children.map((child) => (child.id === id ? change(child) : child)))
}

export const removed = (root: Group, id: number): Group =>
  mapChildren(root, (children) => children.filter((child) => child.id !== id))

export const duplicated = (root: Group, id: number): Group =>
  mapChildren(root, (children) => children.flatMap((child) => (child.id === id ? [child, copied(child)] : [child])))

export const added = (root: Group, groupId: number, part: Part): Group =>
  replaced(root, groupId, (group) =>
    group.kind === 'group' ? { ...group, children: [...group.children, part] } : group,
  )

export const findPart = (part: Part, id: number): Part | undefined => {
  if (part.id === id) return part
  if (part.kind === 'rule') return undefined
  for (const child of part.children) {
    const match = findPart(child, id)
    if (match) return match
  }
  return undefined
}

const parentOf = (group: Group, id: number): Group | undefined => {
  for (const child of group.children) {
    if (child.id === id) return group
    const match = child.kind === 'group' ? parentOf(child, id) : undefined
    if (match) return match
  }
  return undefined
}

/** A condition moves into a group, before one of its parts or at its end. A group cannot move into itself. */
export const movedInto = (
  root: Group,
  id: number,
  target: { groupId: number; beforeId?: number | undefined },
): Group => {
  const part = findPart(root, id)
  if (!part || id === root.id || target.beforeId === id || findPart(part, target.groupId)) return root
  return replaced(removed(root, id), target.groupId, (group) => {
    if (group.kind === 'rule') return group
    const index = group.children.findIndex((child) => child.id === target.beforeId)
    const position = index === -1 ? group.children.length : index
    return { ...group, children: group.children.toSpliced(position, 0, part) }
  })
}

export type Direction = 'up' | 'down' | 'in' | 'out'

/** One step, for the keyboard: up and down among its neighbours, into the group before it, out of its own. */
export const moved = (root: Group, id: number, direction: Direction): Group => {
  const parent = parentOf(root, id)
  if (!parent) return root
  const index = parent.children.findIndex((child) => child.id === id)
  if (direction === 'out') {
    const above = parentOf(root, parent.id)
    if (!above) return root
    const next = above.children[above.children.findIndex((child) => child.id === parent.id) + 1]
    return movedInto(root, id, { groupId: above.id, beforeId: next?.id })
  }
  if (direction === 'in') {
    const neighbour = [parent.children[index - 1], parent.children[index + 1]].find((part) => part?.kind === 'group')
    return neighbour ? movedInto(root, id, { groupId: neighbour.id }) : root
  }
  const to = direction === 'up' ? index - 1 : index + 1
  if (to < 0 || to >= parent.children.length) return root
  const before = parent.children[direction === 'up' ? to : to + 1]
  return movedInto(root, id, { groupId: parent.id, beforeId: before?.id })
}

/** A change of the outline is a step in the history of the browser; a change of only a value is not. */
export const outlineOf = (part: Part): string =>
  part.kind === 'rule'
    ? `${part.isNot ? '-' : ''}${part.field}`
    : `${part.isNot ? '-' : ''}${part.join}(${part.children.map(outlineOf).join()})`
