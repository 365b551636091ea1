import type { Locator, Manifest, TocEntry } from '@carrel/api'
import type { Side } from './fixed-pages.ts'

/** One file of the text, and which of the book's positions are in it. */
export interface Section {
  readonly href: string
  readonly type: string
  /** Notes and other parts that are reached only by a link have none. */
  readonly isLinear: boolean
  /** Positions before it, and in it. */
  readonly before: number
  readonly count: number
  /** A page of fixed layout lies on this side when two pages are open. */
  readonly side?: Side | undefined
  /** A chapter that flows, in a book whose pages are fixed. */
  readonly isFlowing?: boolean
  /** This file says what is read aloud of the chapter. */
  readonly narration?: string | undefined
}

export interface Chapter {
  readonly title: string
  readonly depth: number
  /** Undefined for a heading that leads nowhere. */
  readonly section: number | undefined
  readonly fragment: string | undefined
}

export interface BookMap {
  readonly sections: readonly Section[]
  readonly chapters: readonly Chapter[]
  /** Positions of the whole book, at least one. */
  readonly total: number
  /** Its pages are fixed: each file is one. */
  readonly fixed?: { readonly hasSpreads: boolean } | undefined
  /** The class of its styles for what is being read aloud. */
  readonly spokenClass?: string | undefined
  /** BCP 47. */
  readonly language?: string | undefined
}

interface MappedManifest extends Pick<Manifest, 'readingOrder' | 'toc'> {
  readonly metadata?: Pick<Manifest['metadata'], 'layout' | 'presentation' | 'mediaOverlay' | 'language'>
}

export const bookMapOf = (
  { readingOrder, toc, metadata }: MappedManifest,
  positions: readonly Pick<Locator, 'href'>[],
): BookMap => {
  const counts = new Map<string, number>()
  for (const { href } of positions) counts.set(href, (counts.get(href) ?? 0) + 1)
  let before = 0
  const fixed = metadata?.layout === 'fixed' ? { hasSpreads: metadata.presentation?.spread !== 'none' } : undefined
  const sections = readingOrder.map(({ href, type, properties, alternate }): Section => {
    const count = counts.get(href) ?? 0
    const isFlowing = properties?.layout === 'reflowable'
    const narration = alternate?.find((each) => each.type === guidedNavigation)?.href
    const shown = { side: sideOf(properties?.page), isFlowing, narration }
    const section = { href, type, isLinear: count > 0, before, count, ...shown }
    before += count
    return section
  })
  // A book of which no positions are known is read all the same.
  const countedSections =
    before > 0 ? sections : sections.map((each, index) => ({ ...each, isLinear: true, before: index, count: 1 }))
  const indexOf = new Map(countedSections.map(({ href }, index) => [href, index]))
  const total = Math.max(1, before || countedSections.length)
  const spokenClass = metadata?.mediaOverlay?.activeClass
  const { language } = metadata ?? {}
  return { sections: countedSections, chapters: chaptersOf(toc, indexOf, 0), total, fixed, spokenClass, language }
}

const guidedNavigation = 'application/guided-navigation+json'

const sideOf = (value: string | undefined): Side | undefined =>
  value === 'left' || value === 'right' || value === 'center' ? value : undefined

const chaptersOf = (toc: readonly TocEntry[], indexOf: ReadonlyMap<string, number>, depth: number): Chapter[] =>
  toc.flatMap(({ title, href, children = [] }) => {
    const [path = '', fragment] = (href ?? '').split('#', 2)
    return [
      { title, depth, section: indexOf.get(path), fragment: fragment === '' ? undefined : decoded(fragment) },
      ...chaptersOf(children, indexOf, depth + 1),
    ]
  })

const decoded = (text: string | undefined): string | undefined => {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return text
  }
}

/** 0 to 1. */
const within = (fraction: number): number => (fraction > 0 ? Math.min(1, fraction) : 0)

/**
 * It returns how far into the book a location in a section is: in positions, counted from 1, and as a share of the whole.
 */
export const progressAt = (
  { sections, total }: BookMap,
  index: number,
  fraction: number,
): { readonly position: number; readonly totalProgression: number } => {
  const { before, count } = sections[index] ?? { before: 0, count: 0 }
  const far = before + within(fraction) * count
  const last = Math.max(1, before + count)
  return { position: Math.min(last, Math.floor(far) + 1), totalProgression: Math.min(1, far / total) }
}

/** An address says how far one is to four decimals: what is but for so little on a page is on it. */
const pageSlack = 0.1

/** It returns the position at this share of the whole book. */
export const sectionAt = ({ sections, total, fixed }: BookMap, totalProgression: number): Spot => {
  const far = within(totalProgression) * total + (fixed ? pageSlack : 0)
  const sectionIndex = sections.findIndex(({ isLinear, before, count }) => isLinear && far < before + count)
  const index = sectionIndex < 0 ? sections.findLastIndex(({ isLinear }) => isLinear) : sectionIndex
  const section = sections[index]
  if (!section) return { index: 0, fraction: 0 }
  if (fixed && section.count === 1) return { index, fraction: far > total ? 1 : 0 }
  return { index, fraction: within((far - section.before) / section.count) }
}

export interface Spot {
  readonly index: number
  readonly fraction: number
}

export const startOfPosition = ({ total }: BookMap, position: number): number => within((position - 1) / total)

/** Locators of other apps and of before may name the file alone, or from another folder. */
export const sectionOf = ({ sections }: BookMap, href: string): number | undefined => {
  const path = href.split('#', 1)[0] ?? ''
  if (path === '') return undefined
  const exact = sections.findIndex((section) => section.href === path)
  if (exact >= 0) return exact
  const tail = `/${path.replace(/^\/+/, '')}`
  const index = sections.findIndex((section) => `/${section.href}`.endsWith(tail))
  return index < 0 ? undefined : index
}
