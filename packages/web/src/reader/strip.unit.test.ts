import { array, assert, constant, double, integer, oneof, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import {
  anchorAt,
  heightAt,
  heightOfAnchor,
  keptScroll,
  lengthOf,
  pageAt,
  pageRead,
  pagesAround,
  partMax,
  partStart,
  readingLine,
  scrollTo,
  stripOf,
  topOf,
} from './strip.ts'

const side = oneof(constant(null), constant(1), integer({ min: 1, max: 20_000 }))
const pages = array(record({ width: side, height: side }), { minLength: 1, maxLength: 80 })
const layout = record({ columnWidth: integer({ min: 200, max: 2000 }), gap: integer({ min: 0, max: 100 }) })
const height = integer({ min: 300, max: 2000 })
const part = double({ min: 0, max: 1, noNaN: true })

const endOf = (length: number, height: number): number => Math.max(0, length - height)

test('pages lie one below the other, none upon another, each to be seen', () => {
  assert(
    property(pages, layout, (pages, stripLayout) => {
      const strip = stripOf(pages, stripLayout)
      pages.forEach((_, index) => {
        const page = index + 1
        expect(heightAt(strip, page)).toBeGreaterThanOrEqual(8)
        const below = page === pages.length ? lengthOf(strip) : topOf(strip, page + 1) - stripLayout.gap
        expect(topOf(strip, page) + heightAt(strip, page)).toBe(below)
      })
    }),
  )
})

test('scrolling to a page is reading that page, for every page', () => {
  assert(
    property(pages, layout, height, (pages, stripLayout, height) => {
      const strip = stripOf(pages, stripLayout)
      if (lengthOf(strip) <= height) return
      for (let page = 1; page <= pages.length; page += 1) {
        const scroll = scrollTo(strip, page, height)
        expect(scroll).toBeGreaterThanOrEqual(0)
        expect(scroll).toBeLessThanOrEqual(endOf(lengthOf(strip), height))
        expect(pageAt(strip, readingLine(strip, { scroll, height }))).toBe(page)
        expect(pageRead(strip, page, { scroll, height })).toBe(page)
      }
    }),
  )
})

test('the page being read grows with the scroll, from the first to the last, and never back', () => {
  assert(
    property(pages, layout, height, array(part, { maxLength: 60 }), (pages, stripLayout, height, parts) => {
      const strip = stripOf(pages, stripLayout)
      const end = endOf(lengthOf(strip), height)
      if (end === 0) return
      let page = 1
      for (const fraction of [0, ...parts.toSorted((a, b) => a - b), 1]) {
        const next = pageRead(strip, page, { scroll: fraction * end, height })
        expect(next).toBeGreaterThanOrEqual(page)
        page = next
      }
      expect(page).toBe(pages.length)
      for (const fraction of [...parts.toSorted((a, b) => b - a), 0]) {
        const next = pageRead(strip, page, { scroll: fraction * end, height })
        expect(next).toBeLessThanOrEqual(page)
        page = next
      }
      expect(page).toBe(1)
    }),
  )
})

test('trembling at an edge changes the page once at most', () => {
  assert(
    property(integer({ min: 3, max: 30 }), integer({ min: 2, max: 29 }), array(part), (count, edge, tremor) => {
      const strip = stripOf(
        Array.from({ length: count }, () => ({ width: 800, height: 1200 })),
        { columnWidth: 800, gap: 0 },
      )
      const page = Math.min(edge, count - 1)
      const height = 700
      const scroll = topOf(strip, page) - height / 4
      const seen = [page]
      for (const fraction of tremor) {
        const last = seen.at(-1) ?? page
        const next = pageRead(strip, last, { scroll: scroll + (fraction - 0.5) * 40, height })
        if (next !== last) seen.push(next)
      }
      expect(seen.length).toBeLessThanOrEqual(2)
    }),
  )
})

test('when sizes become known or the window changes, what is at the upper edge stays there', () => {
  assert(
    property(pages, layout, layout, part, (pages, before, after, fraction) => {
      const one = stripOf(pages, before)
      const sizes = pages.map(({ width, height }) => ({ width: width ?? 700, height: height ?? 999 }))
      const other = stripOf(sizes, after)
      const scroll = fraction * lengthOf(one)
      const moved = keptScroll(one, other, scroll)
      const anchor = anchorAt(one, scroll)
      const beyond = scroll - heightOfAnchor(one, anchor)
      expect(moved - heightOfAnchor(other, anchor)).toBeCloseTo(beyond, 3)
      expect(beyond).toBeLessThanOrEqual(before.gap + 0.001)
      // Nothing changed: nothing moves.
      expect(keptScroll(one, one, scroll)).toBeCloseTo(scroll, 3)
    }),
  )
})

test('only pages near the window are in the document, and all that are in it', () => {
  assert(
    property(pages, layout, height, part, (pages, stripLayout, height, fraction) => {
      const strip = stripOf(pages, stripLayout)
      const scroll = fraction * endOf(lengthOf(strip), height)
      const { first, last } = pagesAround(strip, { scroll, height }, 0)
      const inView = pages
        .map((_, index) => index + 1)
        .filter((page) => topOf(strip, page) < scroll + height && topOf(strip, page) + heightAt(strip, page) > scroll)
      expect(inView.filter((page) => page < first || page > last)).toEqual([])
    }),
  )
})

test('a scroll longer than browsers allow is given in parts, and one is always well inside of one', () => {
  const scroll = integer({ min: 0, max: 900_000_000 })
  assert(
    property(array(scroll, { minLength: 1, maxLength: 40 }), integer({ min: 1, max: 900_000_000 }), (steps, length) => {
      let start = 0
      for (const step of steps) {
        const position = step % length
        start = partStart(length, position, start)
        expect(start).toBeGreaterThanOrEqual(0)
        expect(position - start).toBeGreaterThanOrEqual(0)
        expect(position - start).toBeLessThanOrEqual(partMax)
        expect(start).toBeLessThanOrEqual(Math.max(0, length - partMax))
        // The part stays where it is until the scroll position has come near an end.
        expect(partStart(length, position, start)).toBe(start)
      }
    }),
  )
})
