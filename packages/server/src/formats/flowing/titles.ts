import type { OutlineEntry } from '../book-format.ts'

/** Chapters are called what the table of contents calls them; one that leads to a part of a chapter counts last. */
export const titlesByAddress = (outline: readonly OutlineEntry[]): ReadonlyMap<string, string> => {
  const titles = new Map<string, string>()
  const parts = new Map<string, string>()
  const visit = (entries: readonly OutlineEntry[]): void => {
    for (const { title, href, children } of entries) {
      const [address = '', fragment] = href?.split('#', 2) ?? []
      const titlesById = fragment === undefined ? titles : parts
      if (address !== '' && !titlesById.has(address)) titlesById.set(address, title)
      visit(children)
    }
  }
  visit(outline)
  return new Map([...parts, ...titles])
}
