import { SaxesParser, type SaxesAttributeNS } from 'saxes'
import { BookFault } from '../book-format.ts'
import { htmlEntities } from '../html-entities.ts'
import { bookLimits } from '../limits.ts'
import { readLooseMarkup } from './loose-markup.ts'
import { markupDepthMax, type MarkupAttribute, type MarkupSink, type MarkupSpace } from './markup-sink.ts'

/**
 * It reads a chapter as XML, and like a browser when it is no XML. The sink is created again for the second reading. It
 * throws a `BookFault` when there are too many elements.
 */
export const readMarkup = <Sink extends MarkupSink>(text: string, makeSink: () => Sink): Sink => {
  const strict = makeSink()
  if (readStrictly(text, bounded(strict))) return strict
  const loose = makeSink()
  readLooseMarkup(text, bounded(loose))
  return loose
}

const bounded = (sink: MarkupSink): MarkupSink => {
  let elements = 0
  return {
    open: (element) => {
      elements += 1
      if (elements > bookLimits.chapterElements) {
        throw new BookFault('limit', `The chapter has more than ${bookLimits.chapterElements} elements`)
      }
      sink.open(element)
    },
    text: (text) => sink.text(text),
    close: () => sink.close(),
  }
}

class NotWellFormed extends Error {}

const readStrictly = (text: string, sink: MarkupSink): boolean => {
  const parser = new SaxesParser({ xmlns: true, position: false })
  let depth = 0
  for (const [name, character] of htmlEntities) parser.ENTITIES[name] = character
  parser.on('error', () => {
    throw new NotWellFormed()
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    depth += 1
    if (depth > markupDepthMax) throw new NotWellFormed()
    sink.open({
      space: spaces.get(uri) ?? 'other',
      name: local.toLowerCase(),
      attributes: Object.values(attributes).flatMap(attributeOf),
    })
  })
  parser.on('closetag', () => {
    depth -= 1
    sink.close()
  })
  parser.on('text', (written) => sink.text(written))
  parser.on('cdata', (written) => sink.text(written))
  try {
    parser.write(text.trimStart()).close()
    return true
  } catch (error) {
    if (error instanceof NotWellFormed) return false
    throw error
  }
}

/** A chapter that does not say what it is, is HTML. */
const spaces = new Map<string, MarkupSpace>([
  ['', 'html'],
  ['http://www.w3.org/1999/xhtml', 'html'],
  ['http://www.w3.org/2000/svg', 'svg'],
  ['http://www.w3.org/1998/Math/MathML', 'math'],
])

const attributeOf = ({ uri, local, value }: SaxesAttributeNS): MarkupAttribute[] => {
  const prefix = prefixes.get(uri)
  return prefix === undefined ? [] : [[prefix + local.toLowerCase(), value]]
}

const prefixes = new Map([
  ['', ''],
  ['http://www.w3.org/1999/xlink', ''],
  ['http://www.w3.org/XML/1998/namespace', 'xml:'],
  ['http://www.idpf.org/2007/ops', 'epub:'],
])
