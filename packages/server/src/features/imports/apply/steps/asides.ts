import { bringConfigs, isUnset, takeConfigsBack } from '../../../plugins/plugins.ts'
import { bringPaused, type SetAside, takePausedBack } from '../../../series-status/series-status.ts'
import { freshAmong, keyOf } from '../../links.ts'
import { selectPluginsNamed, selectWithStatus } from '../../matching/queries.ts'
import { deleteLinks, insertLinks } from '../../queries.ts'
import type { OnDeckRemovalRecord } from '../../records.ts'
import { countsOf, type Step } from '../step.ts'

interface PausedDone {
  readonly paused: readonly SetAside[]
  readonly at: string
  readonly keys: readonly string[]
}

/** Who did not want a series to be proposed has paused it, in our words: it is not proposed here either. */
export const onDeckRemovals: Step<'onDeckRemoval'> = {
  name: 'on deck removals',
  part: 'progress',
  reads: 'onDeckRemoval',
  atOnce: 50,
  take: async (db, { run, users, series, now }, records) => {
    const all = removalsIn(records, series).flatMap((each) => {
      const userId = users.get(each.user)
      return userId === undefined ? [] : [{ ...each, userId }]
    })
    const fresh = await freshAmong(db, run.kind, all)
    const keys = fresh.map(({ key }) => key)
    await insertLinks(
      db,
      keys.map((key) => ({ kind: run.kind, key, ours: '', import_id: run.id, held: null })),
    )
    const paused = await bringPaused(
      db,
      fresh.map(({ userId, seriesId }) => ({ userId, seriesId })),
      now,
    )
    return {
      ...(keys.length > 0 && { done: { paused, at: now.toISOString(), keys } satisfies PausedDone }),
      counts: countsOf({ onDeckRemovals: paused.length }),
    }
  },
  foresee: async (db, { kind, users, series }, records) => {
    const all = removalsIn(records, series).filter(({ user }) => users.has(user))
    const fresh = await freshAmong(db, kind, all)
    const said = await selectWithStatus(
      db,
      fresh.flatMap(({ user, seriesId }) => {
        const userId = users.get(user)
        return userId == null ? [] : [{ userId, itemId: seriesId }]
      }),
    )
    const isSaid = ({ user, seriesId }: (typeof fresh)[number]) => said.has(`${users.get(user)} ${seriesId}`)
    return countsOf({ onDeckRemovals: fresh.filter((each) => !isSaid(each)).length })
  },
  undo: async (db, { run }, { paused, at, keys }: PausedDone) => {
    await takePausedBack(db, paused, new Date(at))
    await deleteLinks(db, run.kind, keys)
  },
}

const removalsIn = (records: readonly OnDeckRemovalRecord[], series: ReadonlyMap<string, string>) =>
  records.flatMap(({ user, series: theirs }) => {
    const seriesId = series.get(theirs)
    return seriesId === undefined ? [] : [{ user, seriesId, key: keyOf('onDeckRemoval', user, theirs) }]
  })

interface SettingsDone {
  readonly configs: readonly { readonly id: string; readonly config: string }[]
}

/** They are of use where a plugin of that name has been installed here, and is not set yet. */
export const settingsOfPlugins: Step<'pluginSettings'> = {
  name: 'settings of plugins',
  part: 'metadata',
  reads: 'pluginSettings',
  atOnce: 10,
  take: async (db, { now }, records) => {
    const configs = await bringConfigs(
      db,
      records.map(({ name, settings }) => ({ name, config: settings })),
      now,
    )
    return {
      ...(configs.length > 0 && { done: { configs } satisfies SettingsDone }),
      counts: countsOf({ pluginSettings: configs.length, pluginSettingsLeft: records.length - configs.length }),
    }
  },
  foresee: async (db, _, records) => {
    const plugins = await selectPluginsNamed(
      db,
      records.map(({ name }) => name),
    )
    const unset = new Set(plugins.flatMap(({ name, config }) => (isUnset(config) ? [name] : [])))
    return countsOf({ pluginSettings: unset.size })
  },
  undo: (db, { now }, { configs }: SettingsDone) => takeConfigsBack(db, configs, now),
}
