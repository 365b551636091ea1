import { type Static, Type } from 'typebox'
import { readImageHeader } from '../../formats/images/header.ts'
import { type CoverStore, nameOfPicture } from './store.ts'

/** A cover's pictures as text, where they are written out: base64, and the name that they have in a store. */
export const PackedPicture = Type.Object({
  name: Type.String({ pattern: '^[0-9a-f]{40}$' }),
  large: Type.String(),
  small: Type.String(),
})
export type PackedPicture = Static<typeof PackedPicture>

/** Undefined: the store has it no more, or not as it was given. */
export const packPicture = async (store: CoverStore, name: string): Promise<PackedPicture | undefined> => {
  const [large, small] = await Promise.all([store.get(name, 'large'), store.get(name, 'small')])
  return large && small && nameOfPicture({ large }) === name
    ? { name, large: large.toString('base64'), small: small.toString('base64') }
    : undefined
}

/** False: it has the name of another one, and is not taken. */
export const unpackPicture = async (store: CoverStore, packed: PackedPicture): Promise<boolean> => {
  const picture = { large: Buffer.from(packed.large, 'base64'), small: Buffer.from(packed.small, 'base64') }
  if (nameOfPicture(picture) !== packed.name) return false
  await store.put(picture)
  return true
}

/** Whether both are pictures as we make them: whoever may change a file may have put anything into it. */
export const isSoundPicture = ({ large, small }: PackedPicture): boolean =>
  [large, small].every((text) => {
    const { mediaType, width, height } = readImageHeader(Buffer.from(text, 'base64')) ?? {}
    return mediaType === 'image/jpeg' && isOurEdge(width) && isOurEdge(height)
  })

const edgeMax = 4096
const isOurEdge = (edge: number | null | undefined): boolean => typeof edge === 'number' && edge <= edgeMax
