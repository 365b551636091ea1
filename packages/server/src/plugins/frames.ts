import type { Readable } from 'node:stream'

interface LineReading {
  readonly lineBytesMax: number
  readonly onLine: (line: string) => void
  /** It is called when nothing is read any more. */
  readonly onProblem: (problem: string) => void
}

const newline = 0x0a

/**
 * It passes on a stream line by line. A line that is too long is never held in memory, and bytes that are no text are
 * no line.
 */
export const readLines = (stream: Readable, { lineBytesMax, onLine, onProblem }: LineReading): void => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let parts: Buffer[] = []
  let held = 0

  const stop = (problem: string): void => {
    stream.off('data', take)
    stream.resume()
    parts = []
    onProblem(problem)
  }

  const emit = (): boolean => {
    const bytes = Buffer.concat(parts, held)
    parts = []
    held = 0
    let line: string
    try {
      line = decoder.decode(bytes)
    } catch {
      stop('It wrote something that is not UTF-8.')
      return false
    }
    if (line.trim() !== '') onLine(line)
    return true
  }

  const take = (chunk: Buffer): void => {
    let from = 0
    while (from < chunk.length) {
      const end = chunk.indexOf(newline, from)
      const piece = chunk.subarray(from, end < 0 ? chunk.length : end)
      held += piece.length
      if (held > lineBytesMax) {
        stop(`It wrote a line of more than ${lineBytesMax} bytes.`)
        return
      }
      parts.push(piece)
      if (end < 0) return
      if (!emit()) return
      from = end + 1
    }
  }

  stream.on('data', take)
}

const depthMax = 64

/** It measures how deep lists and objects of a JSON text are nested, without parsing it. */
export const isTooDeep = (json: string): boolean => {
  let depth = 0
  let isText = false
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index]
    if (isText) {
      if (character === '\\') index += 1
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > depthMax) return true
    } else if (character === '}' || character === ']') depth -= 1
  }
  return false
}
