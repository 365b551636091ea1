import { BookFault, type Fault, type PageSide } from '../book-format.ts'
import { child, childrenNamed, descendantsNamed, parseXml, type XmlElement } from '../xml.ts'
import { fileAt } from './addresses.ts'
import type { EpubFiles } from './files.ts'

/** It is the parsed package document of an EPUB. */
export interface EpubPackage {
  /** The package document itself: addresses in it are seen from there. */
  readonly path: string
  readonly root: XmlElement
  /** Files of the book by their names; what is not in the archive is not in here. */
  readonly items: ReadonlyMap<string, PackageItem>
  readonly spine: readonly SpineEntry[]
  readonly isFixedLayout: boolean
  /** False: its pages are never to lie side by side. */
  readonly hasSpreads: boolean
  /** The class of what is being read aloud. */
  readonly spokenClass: string | undefined
  readonly warnings: readonly Fault[]
  itemWithId(id: string | undefined): PackageItem | undefined
}

export interface PackageItem {
  readonly path: string
  /** The manifest states it; the file may say otherwise. */
  readonly mediaType: string
  readonly properties: readonly string[]
  /** The id of what it is read aloud by. */
  readonly overlay: string | undefined
}

interface SpineEntry {
  readonly item: PackageItem
  readonly isLinear: boolean
  readonly isFixed: boolean
  /** It is the side of the page when two are open. */
  readonly side: PageSide | undefined
}

/** It throws a `BookFault` when there is nothing that could be read. */
export const readPackage = (files: EpubFiles): EpubPackage => {
  const path = packagePath(files)
  const root = parseXml(files.readXml(path, 'The package document'))
  if (root.name !== 'package') throw new BookFault('damaged', 'The package document of the EPUB is something else')
  const missing: string[] = []
  const { items, byId } = readManifest(root, path, { files, missing })
  const says = metadataOf(root)
  const isFixedLayout = isFixed(says, files)
  const spine = readSpine(root, { byId, isFixedLayout, missing })
  if (spine.length === 0) throw new BookFault('empty', 'The EPUB has no chapters')
  return {
    path,
    root,
    items,
    spine,
    isFixedLayout,
    hasSpreads: !says('rendition:spread', 'none'),
    spokenClass: spokenClassOf(root),
    warnings: missing.slice(0, warningsMax).map((what) => ({ code: 'damaged', message: what })),
    itemWithId: (id) => (id === undefined ? undefined : byId.get(id)),
  }
}

const warningsMax = 20

const containerPath = 'META-INF/container.xml'

/** The first of several packages is used: the others are the same book in another form. */
const packagePath = (files: EpubFiles): string => {
  const container = parseXml(files.readXml(containerPath, 'META-INF/container.xml'))
  const paths = descendantsNamed(container, 'rootfile')
    .filter(({ attributes }) => /^(?:application\/oebps-package\+xml)?$/i.test(attributes['media-type']?.trim() ?? ''))
    .map(({ attributes }) => attributes['full-path']?.trim() ?? '')
  const [first] = paths.filter((path) => path !== '')
  if (first === undefined) throw new BookFault('damaged', 'META-INF/container.xml names no package document')
  const path = files.nameOf(first) ?? fileAt(files, '', first)?.path
  if (path === undefined) throw new BookFault('damaged', 'The package document of the EPUB is missing')
  return path
}

interface Manifest {
  readonly items: ReadonlyMap<string, PackageItem>
  readonly byId: ReadonlyMap<string, PackageItem>
}

const readManifest = (
  root: XmlElement,
  from: string,
  { files, missing }: { files: EpubFiles; missing: string[] },
): Manifest => {
  const items = new Map<string, PackageItem>()
  const byId = new Map<string, PackageItem>()
  for (const { attributes } of childrenNamed(child(root, 'manifest') ?? root, 'item')) {
    const { id, href } = attributes
    // A file on the web is not part of the book.
    if (href === undefined || /^[a-z][a-z0-9+.-]+:/i.test(href)) continue
    const path = fileAt(files, from, href)?.path
    if (path === undefined) {
      missing.push(`A file the book names is not in it: ${JSON.stringify(href.slice(0, 200))}`)
      continue
    }
    const item = items.get(path) ?? {
      path,
      mediaType: (attributes['media-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '',
      properties: (attributes.properties ?? '').split(/\s+/).filter((property) => property !== ''),
      overlay: attributes['media-overlay'],
    }
    items.set(path, item)
    if (id !== undefined && !byId.has(id)) byId.set(id, item)
  }
  return { items, byId }
}

const readSpine = (
  root: XmlElement,
  { byId, isFixedLayout, missing }: Pick<Manifest, 'byId'> & { isFixedLayout: boolean; missing: string[] },
): SpineEntry[] => {
  const spine: SpineEntry[] = []
  const seen = new Set<string>()
  for (const { attributes } of childrenNamed(child(root, 'spine') ?? root, 'itemref')) {
    const item = byId.get(attributes.idref ?? '')
    if (item === undefined) missing.push(`A chapter is missing: ${JSON.stringify(attributes.idref?.slice(0, 200))}`)
    if (item === undefined || seen.has(item.path)) continue
    seen.add(item.path)
    spine.push({
      item,
      isLinear: attributes.linear?.trim().toLowerCase() !== 'no',
      isFixed: layoutOf(attributes.properties ?? '') ?? isFixedLayout,
      side: sideOf(attributes.properties ?? ''),
    })
  }
  // A book of nothing but asides is read as if they were chapters.
  return spine.some(({ isLinear }) => isLinear) ? spine : spine.map((entry) => ({ ...entry, isLinear: true }))
}

const layoutOf = (properties: string): boolean | undefined => {
  if (properties.includes('layout-pre-paginated')) return true
  return properties.includes('layout-reflowable') ? false : undefined
}

/** Some write the prefix of `rendition:` before all of them, some before none. */
const sideOf = (properties: string): PageSide | undefined => {
  const [, side] = /(?:^|[\s:])page-spread-(left|right|center)(?=\s|$)/.exec(properties) ?? []
  return side === 'left' || side === 'right' || side === 'center' ? side : undefined
}

type Says = (key: string, value: string) => boolean

const metadataOf = (root: XmlElement): Says => {
  const metas = descendantsNamed(child(root, 'metadata') ?? root, 'meta')
  return (key, value) =>
    metas.some(({ attributes, text }) => {
      const isKey = (attributes.property ?? attributes.name) === key && attributes.refines === undefined
      return isKey && (attributes.content ?? text).trim().toLowerCase() === value
    })
}

/** One word, as classes are. */
const spokenClassOf = (root: XmlElement): string | undefined =>
  descendantsNamed(child(root, 'metadata') ?? root, 'meta')
    .filter(({ attributes }) => attributes.property === 'media:active-class')
    .map(({ text }) => text.trim())
    .find((name) => name !== '' && name.length <= 200 && !/\s/.test(name))

/** EPUB 3 states it in one way, Kindles and Apple stated it in others before. */
const isFixed = (says: Says, files: EpubFiles): boolean => {
  if (says('rendition:layout', 'pre-paginated') || says('fixed-layout', 'true')) return true
  if (says('rendition:layout', 'reflowable')) return false
  return saysApple(files)
}

const appleOptions = 'META-INF/com.apple.ibooks.display-options.xml'

const saysApple = (files: EpubFiles): boolean => {
  if (!files.has(appleOptions)) return false
  try {
    return descendantsNamed(parseXml(files.readXml(appleOptions, appleOptions)), 'option').some(
      ({ attributes, text }) => attributes.name === 'fixed-layout' && text.trim() === 'true',
    )
  } catch (error) {
    // A file that only one shop uses may be unreadable without harm.
    if (error instanceof BookFault) return false
    throw error
  }
}
