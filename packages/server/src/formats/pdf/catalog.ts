import type { BookFile } from './system.ts'

/** PDFium does not report these: the language of a document, and its packet of XMP. */
export interface CatalogTerms {
  readonly language?: string | undefined
  readonly xmpPacket?: string | undefined
}

/** Catalogs and packets stand at the beginning or at the end of a file, where its writer began or ended. */
const windowBytes = 256 * 1024

/**
 * It looks for them instead of following the tables that lead to them: where it finds none, because the catalog is
 * compressed or stands elsewhere, the information dictionary has to do.
 */
export const findCatalogTerms = (file: BookFile): CatalogTerms => {
  const text = windowsOf(file)
  const packets = packetsIn(text)
  const catalog = lastCatalog(text)
  // Pictures have packets of their own: without a catalog that names it, only a single one is the document's.
  if (catalog === undefined) return { xmpPacket: packets.length === 1 ? packetAt(text, packets[0]) : undefined }
  const number = /\/Metadata\s+(\d+)\s+\d+\s+R/.exec(catalog)?.[1]
  return {
    language: /\/Lang\s*\(([A-Za-z-]{1,40})\)/.exec(catalog)?.[1],
    xmpPacket: packetAt(
      text,
      packets.findLast((packet) => packet.number === number),
    ),
  }
}

const windowsOf = (file: BookFile): string => {
  if (file.size <= 2 * windowBytes) return file.read(0, file.size).toString('latin1')
  const ends = [file.read(0, windowBytes), file.read(file.size - windowBytes, windowBytes)]
  // The separator keeps anything from beginning in one part and ending in the other.
  return ends.map((end) => end.toString('latin1')).join('\nendstream\nendobj\n')
}

/** A later one replaces an earlier one: that is how a PDF is changed. */
const lastCatalog = (text: string): string | undefined => {
  const position = [...text.matchAll(/\/Type\s*\/Catalog\b/g)].at(-1)?.index
  if (position === undefined) return undefined
  const end = text.indexOf('endobj', position)
  return text.slice(text.lastIndexOf('obj', position), end < 0 ? undefined : end)
}

interface Packet {
  /** It is the number of the object. */
  readonly number: string | undefined
  /** The object begins here. */
  readonly from: number
}

const beginningOfStream = /(\d{1,10})\s\d{1,5}\sobj\s{0,4}<<([^<>]{0,512})>>\s{0,4}stream\r?\n/g

const packetsIn = (text: string): Packet[] => {
  // Checking that there are none is cheaper than looking at every stream.
  if (!text.includes('/Metadata')) return []
  return [...text.matchAll(beginningOfStream)].flatMap((match) => {
    const [beginning, number, entries = ''] = match
    const isPlainXmp = /\/Type\s*\/Metadata\b/.test(entries) && !/\/Filter\b/.test(entries)
    return isPlainXmp ? [{ number, from: match.index + beginning.length }] : []
  })
}

const packetAt = (text: string, packet: Packet | undefined): string | undefined => {
  if (packet === undefined) return undefined
  const end = text.indexOf('endstream', packet.from)
  const bytes = Buffer.from(text.slice(packet.from, Math.max(packet.from, end)), 'latin1')
  // It may be encrypted.
  return bytes.includes('<rdf:RDF') ? bytes.toString('utf8') : undefined
}
