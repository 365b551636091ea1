import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { Decoders } from '../../../decoders/pool.ts'
import { defineTask, moreToDo, type TaskContext } from '../../../tasks/define-task.ts'
import { coverStore, forgetPictures, coverSizesOf, showPluginCover } from '../../covers/covers.ts'
import { coverAt } from '../../plugins/plugins.ts'
import { sourceOf } from '../asking/providers.ts'
import { selectCoversToFetch, setCoverFetched, type CoverToFetch } from '../queries.ts'

const hour = 60 * 60 * 1000
const atOnce = 20

type CoverFetchContext = Pick<Context, 'config' | 'settings'> & { readonly decoders: Decoders }

/**
 * Fetches the covers that plugins have named, from the open internet only, and makes them the plugins' covers. One task
 * for all of them; what is added while it runs it fetches as well. What cannot be had is not tried again by itself.
 */
export const fetchCovers = defineTask(Type.Object({}), {
  type: 'fetch_covers',
  priority: 120,
  endsWithinMs: 6 * hour,
  key: () => 'all',
  run: async (_, context, resources: CoverFetchContext) => {
    const { db, signal, finish } = context
    const done: Figures = { fetched: 0, failed: 0, problem: null }
    for (;;) {
      const covers = await selectCoversToFetch(db.read, atOnce)
      for (const each of covers) {
        signal.throwIfAborted()
        await fetchOne(each, context, { ...resources, done })
      }
      if (covers.length > 0) continue
      const hasEnded = await finish(async (db) =>
        (await selectCoversToFetch(db, 1)).length > 0 ? moreToDo : { result: done, items: done.fetched },
      )
      if (hasEnded) return undefined
    }
  },
})

interface Figures {
  fetched: number
  failed: number
  /** It is the reason of the last that failed. */
  problem: string | null
}

const fetchOne = async (
  request: CoverToFetch,
  { db, write, clock, signal }: TaskContext,
  { config, settings, decoders, done }: CoverFetchContext & { readonly done: Figures },
): Promise<void> => {
  const store = coverStore(config)
  const allowedHosts = settings.get('plugins.cover_hosts')
  const made = await coverAt(decoders, { url: request.url, allowedHosts, sizes: coverSizesOf(settings), signal })
  if ('problem' in made) {
    done.failed += 1
    done.problem = made.problem
    await write((db) => setCoverFetched(db, request, null))
    return
  }
  const cover = { ...made, contentHash: await store.put(made) }
  const replaced = await write(async (db) => {
    // It may be no match any more, or another picture may be wanted by now.
    if (!(await setCoverFetched(db, request, request.url))) return [cover.contentHash]
    const source = sourceOf({ name: request.pluginName })
    const names = await showPluginCover(db, { kind: request.entity, id: request.entityId }, { source, cover }, clock())
    return names ?? [cover.contentHash]
  })
  await forgetPictures(store, db.read, replaced)
  done.fetched += 1
}
