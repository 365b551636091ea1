import { bringConfigs, takeConfigsBack } from '../../../plugins/plugins.ts'
import { bringPaused, type SetAside, takePausedBack } from '../../../series-status/series-status.ts'
import { keyOf } from '../../links.ts'
import { deleteLinks, insertLinks, selectLinks } from '../../queries.ts'
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
    const all = records.flatMap(({ user, series: theirs }) => {
      const [userId, seriesId] = [users.get(user), series.get(theirs)]
      return userId === undefined || seriesId === undefined
        ? []
        : [{ userId, seriesId, key: keyOf('onDeckRemoval', user, theirs) }]
    })
    const links = await selectLinks(
      db,
      run.kind,
      all.map(({ key }) => key),
    )
    const fresh = [...new Map(all.filter(({ key }) => !links.has(key)).map((each) => [each.key, each])).values()]
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
  undo: async (db, { run }, { paused, at, keys }: PausedDone) => {
    await takePausedBack(db, paused, new Date(at))
    await deleteLinks(db, run.kind, keys)
  },
}

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
  undo: (db, { now }, { configs }: SettingsDone) => takeConfigsBack(db, configs, now),
}
