import { listNameMax, membersMax } from '@carrel/api'
import type { WriteDb } from '../../../database/database.ts'
import { cleanName } from '../../../platform/text/names.ts'
import type { TaskContext } from '../../../tasks/define-task.ts'
import { indexDocuments } from '../../search-index/search-index.ts'
import type { ListKind } from '../kind.ts'
import { insertFromFiles, nameColumns } from '../new-list.ts'
import { announceList, readAudiences } from '../one-list.ts'
import { deleteList, isNameTaken, lockLists, recordChanges, updateList } from '../queries.ts'
import { changesIn, type PositionChange } from './position-changes.ts'
import {
  changePositions,
  isDeclined,
  type MadeList,
  selectMade,
  selectPositions,
  selectNamedMembers,
  type NamedMember,
} from './queries.ts'

/**
 * What has become of a list. `left`: people have changed or deleted it. `again`: they are doing so. `nameTaken`: they have
 * another one of this name.
 */
export type Outcome = 'made' | 'changed' | 'removed' | 'same' | 'left' | 'again' | 'nameTaken' | 'nameTooLong'

export interface FollowedList {
  readonly outcome: Outcome
  /** It is spelled as most of the books spell it. */
  readonly name: string
  /** Files name more members than a list may have: the last of them are left out. */
  readonly isOverfull: boolean
}

/** One list holds what files say from now on. Whatever people have changed or deleted stays as they left it. */
export const followList = async (context: TaskContext, kind: ListKind, nameKey: string): Promise<FollowedList> => {
  const { db, write, clock } = context
  const named = await selectNamedMembers(db.readSlowly, kind, nameKey)
  const name = nameIn(named)
  const followed = (outcome: Outcome): FollowedList => ({ outcome, name, isOverfull: named.length > membersMax })
  const made = await selectMade(db.readSlowly, kind, nameKey)
  if (made?.follows_files === 0) return followed('left')
  const isList = kind.content === 'series' ? named.length > 0 : named.some(({ isNumbered }) => isNumbered)
  if (!isList) return followed(made ? await write((db) => removeMade(db, kind, nameKey, clock())) : 'same')
  const positions = made ? await selectPositions(db.readSlowly, kind, made.id) : []
  const parts = partsOf(
    changesIn(
      positions,
      named.slice(0, membersMax).map(({ id }) => id),
    ),
  )
  if (made?.name === name && parts.length === 0) return followed('same')
  const listOfFile = await write((db) => keepList(db, kind, { nameKey, name, madeId: made?.id }, clock()))
  if (typeof listOfFile === 'string') return followed(listOfFile)
  for (const part of parts)
    if (!(await write((db) => takePart(db, kind, { nameKey, listId: listOfFile.id, part }, clock()))))
      return followed('again')
  return followed(made ? 'changed' : 'made')
}

/** The spelling that most have. */
const nameIn = (members: readonly NamedMember[]): string => {
  const spellings = [...Map.groupBy(members, ({ name }) => name)].map(([name, { length }]) => ({ name, count: length }))
  const [most] = spellings.sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))
  return most?.name ?? ''
}

const removeMade = async (db: WriteDb, kind: ListKind, nameKey: string, now: Date): Promise<Outcome> => {
  const made = await lockMade(db, kind, nameKey)
  if (made?.follows_files !== 1) return 'again'
  await announceList(db, kind, made.id, { before: await readAudiences(db, kind, made), after: undefined, now })
  await deleteList(db, kind, made.id)
  return 'removed'
}

/** Nobody changes it before the transaction ends. */
const lockMade = async (db: WriteDb, kind: ListKind, nameKey: string): Promise<MadeList | undefined> => {
  const made = await selectMade(db, kind, nameKey)
  if (!made) return undefined
  await lockLists(db, kind, [made.id])
  return selectMade(db, kind, nameKey)
}

interface ListToKeep {
  readonly nameKey: string
  readonly name: string
  readonly madeId: string | undefined
}

/** The row of a list, new or called as files call it now; or why there is none. */
const keepList = async (
  db: WriteDb,
  kind: ListKind,
  { nameKey, name, madeId }: ListToKeep,
  now: Date,
): Promise<{ readonly id: string } | Outcome> => {
  const made = await lockMade(db, kind, nameKey)
  if (made?.id !== madeId || made?.follows_files === 0) return 'again'
  if (made?.name === name) return made
  if (name.length > listNameMax) return 'nameTooLong'
  if (!made && (await isDeclined(db, kind.table, nameKey))) return 'left'
  if (await isNameTaken(db, kind, name, made?.id)) return made ?? 'nameTaken'
  if (!made) return insertFromFiles(db, kind, { name, nameKey }, now)
  await updateList(db, kind, made.id, { ...nameColumns(cleanName(name, 'name')), updated_at: now.toISOString() })
  await indexDocuments(db, kind.table, [made.id])
  return made
}

/** Each transaction makes this many changes, so that others get their turn in between. */
const changesAtOnce = 500

const partsOf = (changes: readonly PositionChange[]): readonly (readonly PositionChange[])[] =>
  Array.from({ length: Math.ceil(changes.length / changesAtOnce) }, (_, index) =>
    changes.slice(index * changesAtOnce, (index + 1) * changesAtOnce),
  )

interface PartToTake {
  readonly nameKey: string
  readonly listId: string
  readonly part: readonly PositionChange[]
}

/** False: people have changed the list meanwhile. */
const takePart = async (
  db: WriteDb,
  kind: ListKind,
  { nameKey, listId, part }: PartToTake,
  now: Date,
): Promise<boolean> => {
  const made = await lockMade(db, kind, nameKey)
  if (made?.id !== listId || made.follows_files === 0) return false
  const before = await readAudiences(db, kind, made)
  await changePositions(db, kind, listId, {
    gone: part.flatMap((change) => (change.how === 'gone' ? change.id : [])),
    come: part.flatMap((change) => (change.how === 'come' ? change : [])),
    moved: part.flatMap((change) => (change.how === 'moved' || change.how === 'shifted' ? change : [])),
    now,
  })
  const told = part.filter(({ how }) => how !== 'shifted').map(({ id }) => ({ listId, itemId: id }))
  await recordChanges(db, kind, told, now.toISOString())
  await announceList(db, kind, listId, { before, after: await readAudiences(db, kind, made), now })
  return true
}
