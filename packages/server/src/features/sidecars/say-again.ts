import type { WriteDb } from '../../database/database.ts'
import type { Entity, LayersBySource } from '../../catalogue/metadata/metadata.ts'
import { type CoverStore, type GivenCover, giveCovers, selectWithoutGiven, unpackPicture } from '../covers/covers.ts'
import { changeMetadata, readStates } from '../editing/editing.ts'
import { coversIn, type Sidecar, wordsIn } from './document.ts'

/** What a sidecar has to say again. */
export interface ToSay {
  readonly words: LayersBySource
  /** Their pictures are in the store. */
  readonly covers: readonly GivenCover[]
}

/** Undefined: nothing. Its pictures go into the store. */
export const readToSay = async (sidecar: Sidecar, store: CoverStore, now: Date): Promise<ToSay | undefined> => {
  const covers: GivenCover[] = []
  for (const { picture, ...cover } of coversIn(sidecar, now))
    if (await unpackPicture(store, picture)) covers.push(cover)
  const words = wordsIn(sidecar, now)
  return isSilent(words) && covers.length === 0 ? undefined : { words, covers }
}

/** It says this of those of which nobody has said anything here, and gives covers where nobody has given or chosen any. It returns of how many. */
export const sayAgain = async (
  db: WriteDb,
  entity: Entity,
  toSay: ReadonlyMap<string, ToSay>,
  now: Date,
): Promise<number> => {
  if (toSay.size === 0) return 0
  const pictured = new Map([...toSay].flatMap(([id, { covers }]) => (covers.length > 0 ? [[id, covers]] : [])))
  const bare = await selectWithoutGiven(db, entity, [...pictured.keys()])
  const subjects = await readStates(db, entity, [...toSay.keys()], now)
  const decide = (id: string) => (state: { readonly words: LayersBySource }) =>
    isSilent(state.words) ? (toSay.get(id)?.words ?? state.words) : state.words
  const lines = await changeMetadata(db, entity, { subjects, decide }, { by: null, reason: 'bulk', now })
  await giveCovers(db, entity, new Map([...pictured].filter(([id]) => bare.has(id))), now)
  return new Set([...lines.keys(), ...bare]).size
}

const isSilent = (words: LayersBySource): boolean =>
  Object.values(words).every((spoken) => Object.keys(spoken).length === 0)
