import { createHash } from 'node:crypto'
import { BookFault } from '../book-format.ts'
import { child, childrenNamed, descendantsNamed, parseXml, type XmlElement } from '../xml.ts'
import { fileAt } from './addresses.ts'
import type { EpubFiles } from './files.ts'

/** Fonts are obfuscated in these ways against people who take them out of a book. It does not protect the book. */
type Obfuscation = 'idpf' | 'adobe'

const obfuscations: ReadonlyMap<string, Obfuscation> = new Map([
  ['http://www.idpf.org/2008/embedding', 'idpf'],
  ['http://ns.adobe.com/pdf/enc#RC', 'adobe'],
])

/** Only shops whose books nobody else can open leave these behind. */
const rights = ['META-INF/rights.xml', 'META-INF/license.lcpl', 'META-INF/sinf.xml']

/** Files of the book whose beginnings are obfuscated. It throws a `BookFault` when the book itself is encrypted. */
export const readEncryption = (files: EpubFiles): ReadonlyMap<string, Obfuscation> => {
  if (rights.some((path) => files.has(path))) throw protectedBook()
  const byPath = new Map<string, Obfuscation>()
  if (!files.has('META-INF/encryption.xml')) return byPath
  const root = parseXml(files.readXml('META-INF/encryption.xml', 'META-INF/encryption.xml'))
  for (const data of descendantsNamed(root, 'EncryptedData')) {
    const obfuscation = obfuscations.get(child(data, 'EncryptionMethod')?.attributes.Algorithm?.trim() ?? '')
    for (const { attributes } of descendantsNamed(data, 'CipherReference')) {
      const path = pathOf(files, attributes.URI ?? '')
      if (path === undefined) continue
      if (obfuscation === undefined) throw protectedBook()
      byPath.set(path, obfuscation)
    }
  }
  return byPath
}

const protectedBook = (): BookFault => new BookFault('encrypted', 'The EPUB is protected by DRM')

const pathOf = (files: EpubFiles, uri: string): string | undefined => files.nameOf(uri) ?? fileAt(files, '', uri)?.path

/** The bytes as they were before; undefined when the key is not what it must be. */
export const undoObfuscation = (bytes: Buffer, obfuscation: Obfuscation, root: XmlElement): Buffer | undefined => {
  const key = obfuscation === 'idpf' ? idpfKey(root) : adobeKey(root)
  if (key === undefined) return undefined
  const clear = Buffer.from(bytes)
  const length = Math.min(clear.length, obfuscation === 'idpf' ? 1040 : 1024)
  for (let index = 0; index < length; index += 1) clear[index] = (clear[index] ?? 0) ^ (key[index % key.length] ?? 0)
  return clear
}

const identifiers = (root: XmlElement): readonly XmlElement[] =>
  childrenNamed(child(root, 'metadata') ?? root, 'identifier')

/** The identifier the package calls its own, without spaces. */
const idpfKey = (root: XmlElement): Buffer | undefined => {
  const all = identifiers(root)
  const own = all.find(({ attributes }) => attributes.id === root.attributes['unique-identifier']) ?? all[0]
  return (
    own &&
    createHash('sha1')
      .update(own.text.replaceAll(/[ \t\r\n]/g, ''))
      .digest()
  )
}

const adobeKey = (root: XmlElement): Buffer | undefined => {
  for (const { text } of identifiers(root)) {
    const digits = text.replace(/^\s*urn:uuid:/i, '').replaceAll(/[-\s]/g, '')
    if (/^[0-9a-f]{32}$/i.test(digits)) return Buffer.from(digits, 'hex')
  }
  return undefined
}
