import type { Analysis } from '../../packages/server/src/decoders/analyse.ts'
import type { WalkedFile } from '../../packages/server/src/features/scan/walker/messages.ts'
import type { PlannedBook } from '../gen/plan.ts'
import { layersOf } from '../gen/layers.ts'

const modifiedUs = 1_700_000_000_000_000
const device = 1

/** A walk would see the file of a planned book like this. */
export const walkedOf = ({ path, seed }: PlannedBook): WalkedFile => {
  const slash = path.lastIndexOf('/') + 1
  return [path.slice(0, slash), path.slice(slash), 100_000 + seed, modifiedUs, modifiedUs, seed, device, 0]
}

/** A decoder would read this in it, except for the places of its pages. */
export const analysisOf = (book: PlannedBook): Analysis => {
  const fingerprint = book.seed.toString(16).padStart(16, '0')
  return {
    format: book.format,
    pageCount: book.pages,
    pageIndex: null,
    fingerprints: { file: fingerprint, content: fingerprint },
    layers: layersOf(book),
    warnings: [],
  }
}
