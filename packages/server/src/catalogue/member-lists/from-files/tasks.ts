import { Type } from 'typebox'
import { defineTask, type TaskContext } from '../../../tasks/define-task.ts'
import type { ListKind } from '../kind.ts'
import { followList, type Outcome } from './follow-list.ts'
import {
  deleteDeclined,
  deleteToFollow,
  type ListName,
  type ListToFollow,
  makesLists,
  selectNamesFollowed,
  selectNamesIn,
  selectToFollow,
  upsertToFollow,
} from './queries.ts'

const hour = 60 * 60 * 1000
const listsAtOnce = 50
const namesAtOnce = 500
/** A line of the log holds this many names of each kind. */
const namesToldMax = 20

interface ListKinds {
  readonly listKinds: readonly ListKind[]
}

/** Makes read lists and collections hold what files say of them. One task for all. */
export const followFiles = defineTask(Type.Object({}), {
  type: 'follow_files',
  priority: 30,
  endsWithinMs: 6 * hour,
  key: () => '',
  runsAgain: true,
  run: async (_, context, { listKinds }: ListKinds) => {
    const report = emptyReport()
    await followAll(context, listKinds, report)
    if (report.nameTaken.size + report.nameTooLong.size + report.overfull.size > 0)
      context.log.warn(namesOf(report), 'Not all lists that files name could be made as they say')
    return { result: resultOf(report), items: report.made + report.changed + report.removed }
  },
})

const followAll = async (context: TaskContext, listKinds: readonly ListKind[], report: Report): Promise<void> => {
  const { db, signal, write } = context
  for (;;) {
    const due = await selectToFollow(db.read, listsAtOnce)
    if (due.length === 0) return
    for (const each of due) {
      signal.throwIfAborted()
      if (each.kind === 'library') await wakeLibrary(context, each.key)
      const kind = listKinds.find(({ table }) => table === each.kind)
      const outcome = kind && (await followNamed(context, { kind, due: each, report }))
      if (outcome !== 'again') await write((db) => deleteToFollow(db, each))
    }
  }
}

/**
 * Where its files make lists from now on, all that they name is looked at, and lists that were deleted once are wanted again.
 * Else all lists are that follow files: by now it may name others than when they were made.
 */
const wakeLibrary = async ({ db, write, clock, signal }: TaskContext, libraryId: string): Promise<void> => {
  const isOn = await makesLists(db.readSlowly, libraryId)
  for (let after: ListName | undefined; ;) {
    signal.throwIfAborted()
    const page = { after, limit: namesAtOnce }
    const names = await (isOn
      ? selectNamesIn(db.readSlowly, libraryId, page)
      : selectNamesFollowed(db.readSlowly, page))
    await write(async (db) => {
      if (isOn) await deleteDeclined(db, names)
      const due = names.map(({ list, name_key }) => ({ kind: list, key: name_key }))
      await upsertToFollow(db, due, clock())
    })
    after = names.at(-1)
    if (names.length < namesAtOnce) return
  }
}

interface NamedToFollow {
  readonly kind: ListKind
  readonly due: ListToFollow
  readonly report: Report
}

const followNamed = async (context: TaskContext, { kind, due, report }: NamedToFollow): Promise<Outcome> => {
  const { outcome, name, isOverfull } = await followList(context, kind, due.key)
  if (outcome === 'made' || outcome === 'changed' || outcome === 'removed') report[outcome] += 1
  if (outcome === 'nameTaken' || outcome === 'nameTooLong') report[outcome].add(name)
  if (isOverfull && outcome !== 'left') report.overfull.add(name)
  return outcome
}

type Report = ReturnType<typeof emptyReport>

const emptyReport = () => ({
  made: 0,
  changed: 0,
  removed: 0,
  nameTaken: new Set<string>(),
  nameTooLong: new Set<string>(),
  overfull: new Set<string>(),
})

/** Whoever may look at tasks may not see all books: names are for the log. */
const resultOf = ({ nameTaken, nameTooLong, overfull, ...counts }: Report) => ({
  ...counts,
  nameTaken: nameTaken.size,
  nameTooLong: nameTooLong.size,
  overfull: overfull.size,
})

const namesOf = ({ nameTaken, nameTooLong, overfull }: Report) =>
  Object.fromEntries(
    Object.entries({ nameTaken, nameTooLong, overfull }).map(([why, names]) => [
      why,
      [...names].slice(0, namesToldMax),
    ]),
  )
