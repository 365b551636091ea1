import type { PlacedElement } from '../xml-places.ts'
import { xmlText } from './written-xml.ts'

/** A package document whose metadata can be written anew. */
export interface OpenPackage {
  readonly isVersion3: boolean
  readonly metadata: PlacedElement
  /** The id of the identifier that stands for the book; fonts may be hidden by it. */
  readonly uniqueIdentifier: string | undefined
  /** What ids of ours begin with: nothing in the document has one. */
  readonly idPrefix: string
  /** It opens a tag of Dublin Core, with its namespace when that is not known where it stands. */
  readonly dcTag: (name: string, attributes?: Readonly<Record<string, string | undefined>>) => Tag
  readonly metaTag: (attributes: Readonly<Record<string, string | undefined>>) => Tag
  /** What a `<meta refines>` adds to an element. */
  refined(element: PlacedElement, property: string): string | undefined
  /** An attribute of EPUB 2, whatever its prefix is. */
  ofOpf(element: PlacedElement, name: string): string | undefined
  roleOf(element: PlacedElement): string | undefined
}

interface Tag {
  readonly open: string
  readonly close: string
  readonly empty: string
}

const dcNamespace = 'http://purl.org/dc/elements/1.1/'
const opfNamespace = 'http://www.idpf.org/2007/opf'

export const openPackage = (text: string, root: PlacedElement): OpenPackage | undefined => {
  const metadata = root.children.find(({ localName }) => localName === 'metadata')
  if (root.localName !== 'package' || !metadata || metadata.innerEnd === metadata.end) return undefined
  // The first of these documents kept their entries one step further in.
  if (metadata.children.some(({ localName }) => /^(?:dc|x)-metadata$/.test(localName))) return undefined
  const refinements = refinementsIn(metadata)
  const refined = ({ attributes }: PlacedElement, property: string): string | undefined =>
    attributes['id'] === undefined ? undefined : refinements.get(`${attributes['id']} ${property}`)
  const ofOpf = ({ attributes }: PlacedElement, name: string): string | undefined =>
    attributes[name] ?? Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1]
  return {
    isVersion3: /^\s*3/.test(root.attributes['version'] ?? ''),
    metadata,
    uniqueIdentifier: root.attributes['unique-identifier'],
    idPrefix: freePrefix(text),
    ...tagsIn(root, metadata),
    refined,
    ofOpf,
    roleOf: (element) => (refined(element, 'role') ?? ofOpf(element, 'role'))?.trim().toLowerCase(),
  }
}

const refinementsIn = ({ children }: PlacedElement): ReadonlyMap<string, string> => {
  const refinements = new Map<string, string>()
  for (const { localName, attributes, text } of children) {
    const { refines, property } = attributes
    const key = `${(refines ?? '').replace(/^#/, '')} ${property}`
    if (localName === 'meta' && refines !== undefined && !refinements.has(key)) refinements.set(key, text.trim())
  }
  return refinements
}

const freePrefix = (text: string): string => {
  let number = 1
  while (text.includes(`carrel${number}-`)) number += 1
  return `carrel${number}-`
}

const tagsIn = (root: PlacedElement, metadata: PlacedElement): Pick<OpenPackage, 'dcTag' | 'metaTag'> => {
  const declared = new Map(
    Object.entries({ ...root.attributes, ...metadata.attributes }).flatMap(([name, value]) =>
      name.startsWith('xmlns:') ? [[value, name.slice('xmlns:'.length)] as const] : [],
    ),
  )
  const dc = declared.get(dcNamespace)
  const opf = declared.get(opfNamespace)
  const own = metadata.name.slice(0, metadata.name.length - metadata.localName.length)
  return {
    dcTag: (name, attributes = {}) => {
      const given = Object.entries(attributes).filter(([, value]) => value !== undefined)
      const needsOpf = opf === undefined && given.some(([key]) => key.startsWith('opf:'))
      return tagOf(`${dc ?? 'dc'}:${name}`, [
        ...(dc === undefined ? [['xmlns:dc', dcNamespace] as const] : []),
        ...(needsOpf ? [['xmlns:opf', opfNamespace] as const] : []),
        ...given.map(([key, value]) => [key.replace(/^opf(?=:)/, opf ?? 'opf'), value] as const),
      ])
    },
    metaTag: (attributes) => tagOf(`${own}meta`, Object.entries(attributes)),
  }
}

const tagOf = (name: string, attributes: readonly (readonly [string, string | undefined])[]): Tag => {
  const written = attributes.flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${xmlText(value)}"`]))
  const inside = `${name}${written.join('')}`
  return { open: `<${inside}>`, close: `</${name}>`, empty: `<${inside}/>` }
}
