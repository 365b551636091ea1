/** Some memory that is used again once nobody needs what is in it. */
export interface Lent {
  readonly bytes: Buffer
  /**
   * It may be called only when nothing reads or writes the buffer any more. A buffer that is not given back is simply
   * not used again.
   */
  giveBack(): void
}

export interface BufferPool {
  /** The buffer has this many bytes, with arbitrary content. */
  lend(length: number): Lent
}

const smallest = 256 * 1024
const largest = 16 * 1024 * 1024
const keptMax = 32 * 1024 * 1024
const restMs = 10_000

/**
 * The system clears memory before it gives it out, and a large buffer for each page costs more than reading the page.
 * So some are kept: of a few sizes, up to a limit of bytes, and none when nobody has asked for a while.
 */
export const bufferPool = (bytesMax = keptMax): BufferPool => {
  const buffersBySize = new Map<number, Buffer[]>()
  let keptBytes = 0
  let timer: NodeJS.Timeout | undefined

  const rest = (): void => {
    buffersBySize.clear()
    keptBytes = 0
  }
  const takeKept = (size: number): Buffer | undefined => {
    const buffer = buffersBySize.get(size)?.pop()
    if (buffer) keptBytes -= size
    return buffer
  }
  const keep = (buffer: Buffer): void => {
    if (keptBytes + buffer.length > bytesMax) return
    const others = buffersBySize.get(buffer.length) ?? []
    buffersBySize.set(buffer.length, others)
    others.push(buffer)
    keptBytes += buffer.length
    timer ??= setTimeout(rest, restMs).unref()
    timer.refresh()
  }

  return {
    lend: (length) => {
      const size = sizeFor(length)
      if (size === undefined) return { bytes: Buffer.allocUnsafe(length), giveBack: () => undefined }
      const buffer = takeKept(size) ?? Buffer.allocUnsafeSlow(size)
      let isLent = true
      return {
        bytes: buffer.subarray(0, length),
        giveBack: () => {
          if (isLent) keep(buffer)
          isLent = false
        },
      }
    },
  }
}

/** Doubled until it fits; undefined for what is not worth keeping, or too large to be kept. */
const sizeFor = (length: number): number | undefined => {
  if (length < smallest / 2 || length > largest) return undefined
  let size = smallest
  while (size < length) size *= 2
  return size
}
