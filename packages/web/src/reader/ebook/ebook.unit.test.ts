import { array, assert, constantFrom, double, integer, nat, property, record, string } from 'fast-check'
import { expect, test } from 'vitest'
import { targetOf } from './book-address.ts'
import { bookMapOf, progressAt, sectionAt, sectionOf } from './book-map.ts'
import { addressesIn, fittedStyles, relinked } from './book-styles.ts'
import { coloursOf, textAppearanceOf, styleSheetsOf, usualEbook } from './text-appearance.ts'
import { locatorOf, locationOf } from './ebook-locator.ts'
import { findQuote } from './text-search.ts'

const type = 'application/xhtml+xml'
const mapFrom = (counts: readonly number[]) => {
  const readingOrder = counts.map((_, index) => ({ href: `resources/text/${index}.xhtml`, type }))
  const positions = counts.flatMap((count, index) =>
    Array.from({ length: count }, () => ({ href: readingOrder[index]?.href ?? '' })),
  )
  const toc = readingOrder.map(({ href }, index) => ({ title: `${index}`, href: `${href}#a%20b` }))
  return bookMapOf({ readingOrder, toc }, positions)
}
/** Positions of each file; those without any are not read in order. */
const books = array(nat({ max: 9 }), { minLength: 1, maxLength: 12 }).map(mapFrom)
const part = double({ min: 0, max: 1, noNaN: true })

test('a part of the book is a place in it, and back again; onwards is never back', () => {
  assert(
    property(books, array(part, { minLength: 1 }), (map, parts) => {
      const seen = parts
        .toSorted((a, b) => a - b)
        .map((each) => {
          const { index, fraction } = sectionAt(map, each)
          expect(map.sections[index]?.isLinear).toBe(true)
          const progress = progressAt(map, index, fraction)
          expect(progress.totalProgression).toBeCloseTo(each, 9)
          expect(progress.position).toBeGreaterThanOrEqual(1)
          expect(progress.position).toBeLessThanOrEqual(map.total)
          return progress.position
        })
      expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    }),
  )
})

test('READ-1 a locator leads back to its place; from other apps the name of the file or a percentage will do', () => {
  assert(
    property(books, nat(), part, (map, which, fraction) => {
      const index = which % map.sections.length
      const quote = { before: 'one ', match: 'two three', after: '' }
      const locator = locatorOf(map, { index, fraction, cfi: '/4/2/1:3', quote }, 'Title')
      expect(locationOf(map, locator)).toEqual({ index, fraction, cfi: '/4/2/1:3', quote })
      expect(locationOf(map, JSON.parse(JSON.stringify(locator)))).toEqual({ index, fraction, cfi: '/4/2/1:3', quote })
    }),
  )
  const map = mapFrom([2, 0, 2])
  expect(sectionOf(map, 'text/2.xhtml')).toBe(2)
  expect(sectionOf(map, 'elsewhere.xhtml')).toBeUndefined()
  expect(locationOf(map, { href: '', type: '', locations: { totalProgression: 0.75 } })).toEqual({
    index: 2,
    fraction: 0.5,
  })
  expect(locationOf(map, { href: 'gone.xhtml', type, locations: { position: 3 } })).toEqual({ index: 2, fraction: 0 })
  expect(locationOf(map, { href: '', type: '' })).toBeUndefined()
  expect(map.chapters[2]).toMatchObject({ section: 2, fragment: 'a b' })
})

const words = array(constantFrom('the', 'whale', 'swam', 'on', ' ', '\n', '  '), { minLength: 1, maxLength: 40 })

test('a quote is found where it was taken from, however its text is broken into lines and elements', () => {
  assert(
    property(words, words, words, nat({ max: 50 }), (ahead, quoted, behind, cut) => {
      const [before, match, after] = [ahead, quoted, behind].map((each) => each.join('')) as [string, string, string]
      if (match.trim() === '') return
      const all = `${before}!${match}!${after}`
      const position = cut % all.length
      const span = findQuote([all.slice(0, position), all.slice(position)], {
        before: `${before}!`,
        match: match.replaceAll('\n', ' '),
        after: '!',
      })
      const offset = (point: { text: number; offset: number } | undefined) =>
        (point?.text === 1 ? position : 0) + (point?.offset ?? -1)
      const text = all.slice(offset(span?.start), offset(span?.end))
      expect(text).toBe(match.trim())
      expect(offset(span?.start)).toBe(before.length + 1 + match.indexOf(match.trim()))
    }),
  )
  expect(findQuote(['nothing of it'], { match: 'whale' })).toBeUndefined()
  const twice = ['a whale, then ', 'a whale']
  expect(findQuote(twice, { match: 'whale' }, 1)?.start).toEqual({ text: 1, offset: 2 })
  expect(findQuote(twice, { match: 'whale', after: ', then' }, 1)?.start).toEqual({ text: 0, offset: 2 })
})

test('W5 addresses in a book lead into the book or nowhere', () => {
  const from = 'resources/OEBPS/text/ch1.xhtml'
  const inside = (reference: string) => targetOf(from, reference)
  expect(inside('../images/a%20b.jpg')).toEqual({
    kind: 'inside',
    href: 'resources/OEBPS/images/a%20b.jpg',
    fragment: undefined,
  })
  expect(inside('a,b (1).xhtml#n%201')).toMatchObject({
    href: 'resources/OEBPS/text/a%2Cb%20(1).xhtml',
    fragment: 'n 1',
  })
  expect(inside('#note')).toMatchObject({ href: from, fragment: 'note' })
  expect(inside('https://example.org/x')).toMatchObject({ kind: 'outside' })
  for (const nowhere of [
    'javascript:alert(1)',
    '//evil.example/x',
    '../../../manifest',
    '/etc/passwd',
    'data:text/html,x',
    'blob:x',
  ])
    expect([nowhere, inside(nowhere)]).toEqual([nowhere, undefined])
  assert(
    property(string(), (reference) => {
      const target = inside(reference)
      const isInside = target?.kind === 'inside' && target.href.startsWith('resources/')
      expect(isInside || target === undefined || /^(?:https?:|mailto:)/i.test(reference)).toBe(true)
    }),
  )
})

test('style sheets keep nothing that was not led anew', () => {
  const address = constantFrom('a.png', '../b c.png', 'http://evil.example/x', 'q"uote.png', 'back\\slash')
  assert(
    property(array(address, { maxLength: 8 }), (addresses) => {
      const css = addresses.map((each) => `p{background:url("${each.replaceAll(/["\\]/g, String.raw`\$&`)}")}`).join('')
      expect(addressesIn(css)).toEqual(addresses)
      expect(addressesIn(relinked(css, () => 'blob:x'))).toEqual(addresses.map(() => 'blob:x'))
      expect(addressesIn(relinked(css, () => undefined))).toEqual(addresses.map(() => 'about:invalid'))
    }),
  )
  expect(relinked('rect{fill:url(#a)}', () => 'blob:x')).toBe('rect{fill:url(#a)}')
})

test('what was written for a page fits columns, and grows with the text', () => {
  const fitted = (css: string) => fittedStyles(css, { width: 1000, height: 500 })
  expect(fitted('p{font-size:12pt;width:50vw;margin:10vh 0}')).toBe(
    'p{font-size:calc(12pt*var(--carrel-scale,1));width:500px;margin:50px 0}',
  )
  expect(fitted('h1{page-break-before:always;-epub-hyphens:none;font-size:small}')).toBe(
    'h1{break-before:column;hyphens:none;font-size:0.8125rem}',
  )
  expect(fitted('h1{break-inside:avoid;page-break-after:avoid;font-size:1.2em}')).toBe(
    'h1{break-inside:avoid;page-break-after:avoid;font-size:1.2em}',
  )
})

test('C17 text looks as was said, as the app where nothing was, and as the book where it knows better', () => {
  const appearance = textAppearanceOf({})
  expect(appearance).toEqual({ ...usualEbook, lineHeight: undefined })
  expect(coloursOf(appearance, 'oled').page).toBe('#000000')
  expect(coloursOf(textAppearanceOf({ textTheme: 'sepia' }), 'dark').isDark).toBe(false)
  const own = textAppearanceOf({ textTheme: 'own', pageColour: '#202020', textColour: '#eeeeee' })
  expect(coloursOf(own, 'light')).toMatchObject({ page: '#202020', text: '#eeeeee', isDark: true })
  const [, plain] = styleSheetsOf(appearance, coloursOf(appearance, 'light'))
  expect(plain).not.toMatch(/text-align|line-height|font-family|hyphens/)
  const chosen = textAppearanceOf({
    textAlign: 'justify',
    lineHeight: 180,
    textFont: 'serif',
    hyphens: 'on',
    textSize: 150,
  })
  const [, set] = styleSheetsOf(chosen, coloursOf(chosen, 'dark'))
  for (const rule of ['text-align: justify', 'line-height: 1.8', 'hyphens: auto', '--carrel-scale: 1.5'])
    expect(set).toContain(rule)
})

test('however it is said, all settings have a value', () => {
  const choices = record(
    { textSize: integer({ min: 50, max: 400 }), textFlow: constantFrom('paged', 'scrolled') },
    { requiredKeys: [] },
  )
  assert(
    property(choices, (settings) => {
      const { lineHeight, ...decided } = textAppearanceOf(settings)
      expect(lineHeight).toBeUndefined()
      expect(Object.values(decided)).not.toContain(undefined)
    }),
  )
})
