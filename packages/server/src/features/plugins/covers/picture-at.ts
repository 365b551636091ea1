import type { CoverSizes, MadeCover } from '../../../decoders/cover.ts'
import type { Decoders } from '../../../decoders/pool.ts'
import { BookFault } from '../../../formats/book-format.ts'
import { readImageHeader } from '../../../formats/images/header.ts'
import { getOutbound, OutboundProblem } from '../../../platform/outbound.ts'

/** The limits are those of a cover that somebody uploads. */
const bytesMax = 10 * 1024 * 1024
const accepted: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])
const silenceMaxMs = 20_000

interface Fetching {
  readonly url: string
  /** Hosts that may be reached wherever they are. */
  readonly allowedHosts: readonly string[]
  readonly sizes: CoverSizes
  readonly signal: AbortSignal
}

/**
 * It fetches the picture at an address that a plugin has named, from the public internet only, and has a decoder
 * convert it.
 */
export const coverAt = async (
  decoders: Decoders,
  { sizes, ...where }: Fetching,
): Promise<MadeCover | { readonly problem: string }> => {
  const picture = await pictureAt(where)
  return 'problem' in picture ? picture : madeOf(decoders, picture.bytes, sizes)
}

const pictureAt = async ({
  url,
  allowedHosts,
  signal,
}: Omit<Fetching, 'sizes'>): Promise<{ readonly bytes: Buffer } | { readonly problem: string }> => {
  try {
    const accept = [...accepted].join(', ')
    const { status, bytes } = await getOutbound({ url, allowedHosts, signal, bytesMax, accept })
    if (status !== 200) return { problem: `The address answers with ${status}.` }
    // The bytes decide: whoever sends them may claim anything.
    const kind = readImageHeader(bytes)?.mediaType
    return kind !== undefined && accepted.has(kind) ? { bytes } : { problem: 'There is no picture at the address.' }
  } catch (error) {
    if (error instanceof OutboundProblem && !signal.aborted) return { problem: error.message }
    throw error
  }
}

const madeOf = async (decoders: Decoders, bytes: Buffer, sizes: CoverSizes) => {
  try {
    return await decoders.run('cover', { bytes, sizes }, { silenceMaxMs })
  } catch (error) {
    if (error instanceof BookFault) return { problem: 'The picture at the address cannot be read.' }
    throw error
  }
}
