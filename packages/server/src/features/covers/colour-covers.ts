import type { Context } from '../../context.ts'
import type { Decoders } from '../../decoders/pool.ts'
import { BookFault } from '../../formats/book-format.ts'
import type { TaskContext } from '../../tasks/define-task.ts'
import { setBookTones } from '../../catalogue/shown/shown.ts'
import { selectUncoloured, setTones } from './queries.ts'
import { type CoverStore, coverStore } from './store.ts'

const coversAtOnce = 32
const jobMaxMs = 10_000

/** It looks for the colours of covers that have none yet, and returns how many it has looked at. No book is opened for it. */
export const colourCovers = async (
  { db, write, signal }: TaskContext,
  { config, decoders }: Pick<Context, 'config'> & { readonly decoders: Decoders },
): Promise<number> => {
  const store = coverStore(config)
  let coloured = 0
  for (let after = ''; ;) {
    signal.throwIfAborted()
    const covers = await selectUncoloured(db.readSlowly, after, coversAtOnce)
    const tones = await Promise.all(
      covers.map(async (cover) => {
        const tone = await toneOfPicture(cover.content_hash, { store, decoders, signal })
        return tone === undefined ? [] : [{ ...cover, tone }]
      }),
    )
    const colours = tones.flat()
    if (colours.length > 0)
      await write(async (db) => {
        const books = await setTones(db, colours)
        await setBookTones(
          db,
          books.map(({ id, entity_id, tone }) => ({ id: entity_id, coverId: id, tone })),
        )
      })
    coloured += colours.length
    after = covers.at(-1)?.id ?? ''
    if (covers.length < coversAtOnce) return coloured
  }
}

interface ToneResources {
  readonly store: CoverStore
  readonly decoders: Decoders
  readonly signal: AbortSignal
}

/** Undefined: its picture has gone. One that cannot be opened has no colours. */
const toneOfPicture = async (
  contentHash: string,
  { store, decoders, signal }: ToneResources,
): Promise<string | undefined> => {
  const bytes = await store.get(contentHash, 'small')
  if (!bytes) return undefined
  try {
    return await decoders.run('coverTone', { bytes }, { silenceMaxMs: jobMaxMs, signal, patient: true })
  } catch (error) {
    if (error instanceof BookFault) return ''
    throw error
  }
}
