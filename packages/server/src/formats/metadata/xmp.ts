import { BookFault } from '../book-format.ts'
import { descendantsNamed, parseXml, type XmlElement } from '../xml.ts'

/** The values of a property, as `dc:creator`, by its local name; in the order they stand. */
export type Xmp = (property: string) => readonly string[]

/** A packet that cannot be read is ignored: the book is none the worse for it. */
export const readXmp = (packet: string | undefined): Xmp => {
  const descriptions = packet === undefined ? [] : descriptionsIn(packet)
  return (property) =>
    descriptions.flatMap(({ attributes, children }) => {
      const attribute = attributes[property]
      const elements = children.filter(({ name }) => name === property).flatMap(valuesOf)
      return (attribute === undefined ? elements : [attribute, ...elements]).filter((text) => text.trim() !== '')
    })
}

const descriptionsIn = (packet: string): readonly XmlElement[] => {
  try {
    return descendantsNamed(parseXml(Buffer.from(packet)), 'Description')
  } catch (error) {
    if (error instanceof BookFault) return []
    throw error
  }
}

/** A text in several languages has one that stands for all; a list each of its items. */
const valuesOf = (element: XmlElement): readonly string[] => {
  const items = descendantsNamed(element, 'li')
  const standard = items.find(({ attributes }) => attributes.lang === 'x-default')
  if (standard !== undefined) return [standard.text]
  return items.length === 0 ? [element.text] : items.map(({ text }) => text)
}
