import type { NewFilterPreset } from '@carrel/api'
import { bringPreset, takePresetBack } from '../../../filter-presets/filter-presets.ts'
import { freshAmong, keyOf } from '../../links.ts'
import { deleteLinks, insertLinks } from '../../queries.ts'
import type { PresetRecord } from '../../records.ts'
import { countsOf, seeingAll, type Step } from '../step.ts'

interface PresetsDone {
  readonly presets: readonly { readonly userId: string; readonly id: string }[]
  readonly keys: readonly string[]
}

export const presets: Step<'preset'> = {
  name: 'presets',
  part: 'lists',
  reads: 'preset',
  atOnce: 10,
  take: async (db, { run, users, now }, records) => {
    const all = presetsIn(records).flatMap((each) => {
      const userId = users.get(each.user)
      return userId === undefined ? [] : [{ ...each, userId }]
    })
    const fresh = await freshAmong(db, run.kind, all)
    const brought: { userId: string; id: string }[] = []
    for (const { userId, name, target, condition, query, sort } of fresh) {
      // The condition is checked where it is kept.
      const input = { name, scope: 'list', target, condition, query, sort } as NewFilterPreset
      const id = await bringPreset(db, seeingAll(userId), input, now)
      if (id !== undefined) brought.push({ userId, id })
    }
    const keys = fresh.map(({ key }) => key)
    await insertLinks(
      db,
      keys.map((key) => ({ kind: run.kind, key, ours: '', import_id: run.id, held: null })),
    )
    return {
      ...(keys.length > 0 && { done: { presets: brought, keys } satisfies PresetsDone }),
      counts: countsOf({ presets: brought.length, presetsRefused: fresh.length - brought.length }),
    }
  },
  // Whether a name is free, and a condition one of ours, is seen when they come.
  foresee: async (db, { kind, users }, records) => {
    const all = presetsIn(records).filter(({ user }) => users.has(user))
    return countsOf({ presets: (await freshAmong(db, kind, all)).length })
  },
  undo: async (db, { run, now }, { presets: brought, keys }: PresetsDone) => {
    for (const { userId, id } of brought) await takePresetBack(db, seeingAll(userId), id, now)
    await deleteLinks(db, run.kind, keys)
  },
}

const presetsIn = (records: readonly PresetRecord[]) =>
  records.map((record) => {
    const { user, name, target, condition } = record
    return { ...record, key: keyOf('preset', user, name, target, JSON.stringify(condition)) }
  })
