import type { NewFilterPreset } from '@carrel/api'
import { bringPreset, takePresetBack } from '../../../filter-presets/filter-presets.ts'
import { keyOf } from '../../links.ts'
import { deleteLinks, insertLinks, selectLinks } from '../../queries.ts'
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
    const keyed = records.flatMap((record) => {
      const userId = users.get(record.user)
      const { user, name, target, condition } = record
      return userId === undefined
        ? []
        : [{ ...record, userId, key: keyOf('preset', user, name, target, JSON.stringify(condition)) }]
    })
    const links = await selectLinks(
      db,
      run.kind,
      keyed.map(({ key }) => key),
    )
    const fresh = [...new Map(keyed.filter(({ key }) => !links.has(key)).map((each) => [each.key, each])).values()]
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
  undo: async (db, { run, now }, { presets: brought, keys }: PresetsDone) => {
    for (const { userId, id } of brought) await takePresetBack(db, seeingAll(userId), id, now)
    await deleteLinks(db, run.kind, keys)
  },
}
