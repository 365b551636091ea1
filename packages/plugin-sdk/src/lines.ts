const newline = 10

/** It reports a line that was longer than allowed and has been skipped. */
export interface PassedOver {
  readonly bytes: number
}

/** The lines of a stream. No more than one line and one chunk is held in memory, whatever the other side sends. */
export async function* linesOf(
  stream: AsyncIterable<Uint8Array>,
  lineBytesMax: number,
): AsyncGenerator<string | PassedOver> {
  let parts: Uint8Array[] = []
  let bytes = 0
  const take = (part: Uint8Array): void => {
    bytes += part.length
    if (bytes <= lineBytesMax) parts.push(part)
    else parts = []
  }
  const end = (): string | PassedOver => {
    const line = bytes <= lineBytesMax ? Buffer.concat(parts).toString('utf8').trim() : { bytes }
    parts = []
    bytes = 0
    return line
  }
  for await (const chunk of stream) {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      take(chunk.subarray(from, at))
      from = at + 1
      const line = end()
      if (line !== '') yield line
    }
    take(chunk.subarray(from))
  }
  const rest = end()
  if (rest !== '') yield rest
}
