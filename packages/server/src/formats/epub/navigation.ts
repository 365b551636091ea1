import { BookFault, type OutlineEntry } from '../book-format.ts'
import { cleanLine } from '../metadata/clean-text.ts'
import { child, childrenNamed, descendantsNamed, parseXml, type XmlElement } from '../xml.ts'
import { fileAt } from './addresses.ts'
import type { EpubFiles } from './files.ts'
import type { EpubPackage, PackageItem } from './package.ts'
import { addressOf, type Target, targetOf } from '../markup/references.ts'

/** The table of contents: of EPUB 3 where there is one, else of EPUB 2, else none. A broken one is none. */
export const readOutline = (files: EpubFiles, book: EpubPackage): readonly OutlineEntry[] => {
  const navigation = [...book.items.values()].find(({ properties }) => properties.includes('nav'))
  const outline = navigation === undefined ? [] : readIfSound(files, navigation, outlineOfNavigation)
  if (outline.length > 0) return outline
  const ncx = ncxOf(book)
  return ncx === undefined ? [] : readIfSound(files, ncx, outlineOfNcx)
}

const ncxOf = (book: EpubPackage): PackageItem | undefined =>
  book.itemWithId(child(book.root, 'spine')?.attributes.toc) ??
  [...book.items.values()].find(({ mediaType }) => mediaType === 'application/x-dtbncx+xml')

/** The file of the book that an address in the table of contents means. */
type Locate = (href: string) => Target | undefined
type ReadOutline = (root: XmlElement, locate: Locate) => OutlineEntry[]

const readIfSound = (files: EpubFiles, { path }: PackageItem, read: ReadOutline): OutlineEntry[] => {
  try {
    // An entry that leads to no file of the book is kept as it was written.
    const locate: Locate = (href) => fileAt(files, path, href) ?? targetOf(path, href)
    return read(parseXml(files.readXml(path, 'The table of contents')), locate)
  } catch (error) {
    if (error instanceof BookFault) return []
    throw error
  }
}

const outlineOfNavigation: ReadOutline = (root, locate) => {
  const navigations = descendantsNamed(root, 'nav')
  const contents =
    navigations.find(({ attributes }) => attributes.type?.split(/\s+/).includes('toc')) ??
    navigations.find(({ attributes }) => attributes.type === undefined)
  return listEntries(contents && child(contents, 'ol'), locate)
}

const listEntries = (list: XmlElement | undefined, locate: Locate): OutlineEntry[] =>
  list === undefined
    ? []
    : childrenNamed(list, 'li').flatMap((entry) => {
        const label = entry.children.find(({ name }) => name !== 'ol')
        const link = label?.name === 'a' ? label : label && descendantsNamed(label, 'a')[0]
        return entryOf({
          title: label?.text,
          href: link?.attributes.href,
          locate,
          children: listEntries(child(entry, 'ol'), locate),
        })
      })

const outlineOfNcx: ReadOutline = (root, locate) => pointEntries(child(root, 'navMap'), locate)

const pointEntries = (points: XmlElement | undefined, locate: Locate): OutlineEntry[] =>
  points === undefined
    ? []
    : childrenNamed(points, 'navPoint').flatMap((point) =>
        entryOf({
          title: child(point, 'navLabel')?.text,
          href: child(point, 'content')?.attributes.src,
          locate,
          children: pointEntries(point, locate),
        }),
      )

/** An entry without a name is of no use to a reader; its parts take its place. */
const entryOf = (written: {
  title: string | undefined
  href: string | undefined
  locate: Locate
  children: OutlineEntry[]
}): OutlineEntry[] => {
  const title = cleanLine(written.title)
  if (title === undefined) return written.children
  const target = written.href === undefined ? undefined : written.locate(written.href)
  if (target === undefined) return [{ title, children: written.children }]
  const fragment = target.fragment === undefined ? '' : `#${target.fragment}`
  return [{ title, href: addressOf(target.path) + fragment, children: written.children }]
}
