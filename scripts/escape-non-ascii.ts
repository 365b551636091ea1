import { decode, encode, type SourceMapMappings } from '@jridgewell/sourcemap-codec'
import type { Plugin } from 'rolldown'

/**
 * A file with a single other character is held by V8 in two bytes each, and decoded when it is read: 4 MB and 7 ms of a start. The
 * minifier writes all characters as they are.
 */
export const escapeNonAscii: Plugin = {
  name: 'escape-non-ascii',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || chunk.code.includes(rawTexts)) continue
      const { code, map } = chunk
      chunk.code = escapeAll(code)
      if (map) chunk.map = Object.assign(map, { mappings: encode(movedTo(code, decode(map.mappings))) })
    }
  },
}

/** In such a text an escape is six characters of its own: files that have one stay as they are. */
const rawTexts = 'String.raw'

// Comments are gone by then: what is left stands in texts and regular expressions, where an escape means the same.
const others = /(\\*)([^\0-\x7f])/g

export const escapeAll = (code: string): string =>
  code.replace(others, (text, slashes: string, character: string) => {
    if (slashes.length % 2 === 1) throw new Error(`This would be no escape: ${text}`)
    return `${slashes}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })

const escapeGrowsBy = String.raw`\u0000`.length - 1

/** Where everything in these lines lies once the characters before it are escaped. */
const movedTo = (code: string, mappings: SourceMapMappings): SourceMapMappings => {
  const lines = code.split('\n')
  return mappings.map((segments, at) => {
    const escapes = [...(lines[at] ?? '').matchAll(/[^\0-\x7f]/g)].map(({ index }) => index)
    let passed = 0
    return segments.map(([column, ...rest]) => {
      while (passed < escapes.length && (escapes[passed] ?? column) < column) passed += 1
      return [column + passed * escapeGrowsBy, ...rest] as (typeof segments)[number]
    })
  })
}
