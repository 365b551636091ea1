import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../src', import.meta.url))

const filesEndingIn = (ending: string): string[] =>
  readdirSync(source, { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))

const sheets = filesEndingIn('.module.css')

/** What no primitive of `ui/layout` says, because it is said once: a chart, a table, what stands in the middle of a window. */
const ownLayouts = {
  'features/reader/ebook/bars/picture-view.module.css': ['.content', '.stage'],
  'features/reader/pages/page-picture.module.css': ['.missing'],
  'features/recommendations/recommendations.module.css': ['.words'],
  'features/statistics/bar-chart.module.css': ['.bars', '.column'],
  'lists/item/item-table.module.css': ['.row'],
  'lists/pages/letters-rail.module.css': ['.rail'],
  'ui/state/skeleton.module.css': ['.row'],
  'ui/virtual/virtual-list.module.css': [".row[data-kind='grid']"],
}

interface Rule {
  readonly selector: string
  readonly body: string
}

/** The innermost rules; those in a media query are as they are outside. */
const rulesOf = (sheet: string): Rule[] =>
  [
    ...readFileSync(sheet, 'utf8')
      .replaceAll(/\/\*.*?\*\//gs, '')
      .matchAll(/([^{}]+)\{([^{}]*)\}/g),
  ].map(([, selector = '', body = '']) => ({ selector: selector.trim(), body }))

const selectorsWith = (declaration: RegExp, among = sheets): Record<string, string[]> =>
  Object.fromEntries(
    among
      .map((sheet): [string, string[]] => [
        relative(source, sheet),
        rulesOf(sheet).flatMap(({ selector, body }) => (declaration.test(body) ? [selector] : [])),
      ])
      .filter(([, selectors]) => selectors.length > 0),
  )

test('what stands beside and below each other is said by the primitives of ui/layout', () => {
  expect(selectorsWith(/\bdisplay: (inline-)?(flex|grid)\b/)).toEqual(ownLayouts)
})

test('texts are cut off, and lists lose their dots, by the primitives of ui/layout', () => {
  expect(selectorsWith(/-webkit-line-clamp/)).toEqual({})
  expect(selectorsWith(/list-style: none/)).toEqual({})
})

/** `sheet .class` for each class that a component asks a sheet for. */
const askedFor = new Set(
  [...filesEndingIn('.tsx'), ...filesEndingIn('.ts')].flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(/^import (\w+) from '(.+\.module\.css)'/gm)].flatMap(([, name = '', path = '']) =>
      [...text.matchAll(new RegExp(`(?<![-\\w])${name}\\.(\\w+)`, 'g'))].map(
        ([, name]) => `${relative(source, join(dirname(file), path))} .${name}`,
      ),
    )
  }),
)

const classes = new Set(
  sheets.flatMap((sheet) =>
    rulesOf(sheet).flatMap(({ selector }) =>
      [...selector.matchAll(/\.([a-zA-Z]\w*)/g)].map(([, name]) => `${relative(source, sheet)} .${name}`),
    ),
  ),
)

test('a class that a component names is in its style sheet, and a class there is named by a component', () => {
  expect([...askedFor].filter((name) => !classes.has(name))).toEqual([])
  expect([...classes].filter((name) => !askedFor.has(name))).toEqual([])
})

/** What is measured from a corner of the window, or stands in a place that has nothing to do with how text is read. */
const physical = {
  'features/reader/ebook/bars/foot-note.module.css': ['.note'],
  'features/reader/ebook/marks/marks.module.css': ['.selection', '.selection'],
  'features/reader/pages/page-picture.module.css': [".picture[data-part='turned']"],
  'features/reader/pages/views.module.css': ['.spread'],
}

const everySheet = filesEndingIn('.css')

test('what stands at the beginning of a line stands there in Arabic too', () => {
  const sides =
    /(^|[;\s])(left|right|(margin|padding|border)-(left|right)(-\w+)*|border-(top|bottom)-(left|right)-radius|scroll-(margin|padding)-(left|right))\s*:|\b(text-align|float|clear)\s*:\s*(left|right)/
  expect(selectorsWith(sides, everySheet)).toEqual(physical)
})

test('four distances in one line are the same at both sides: what differs is said by padding-inline', () => {
  const value = String.raw`((?:[\w.%-]|\((?:[^()]|\([^()]*\))*\))+)`
  const four = new RegExp(String.raw`(?:^|[;\s])(?:inset|margin|padding): ${value} ${value} ${value} ${value};`, 'g')
  const uneven = everySheet.flatMap((sheet) =>
    rulesOf(sheet).flatMap(({ selector, body }) =>
      [...body.replaceAll(/\s+/g, ' ').matchAll(four)]
        .filter(([, , right, , left]) => right !== left && !/safe-area-inset-right/.test(right ?? ''))
        .map(() => `${relative(source, sheet)} ${selector}`),
    ),
  )
  // A drop-down lies at the place of its field, which is measured; a page is turned at the side of the book.
  expect(uneven).toEqual([
    "frame/palette/palette.module.css .dialog[data-frame='dropdown']",
    "features/reader/bars/end-of-book.module.css .end[data-side='right']",
    "features/reader/bars/end-of-book.module.css .end[data-side='left']",
  ])
})

test('an icon that points along a line of text is named so: what is named after a side stays there', () => {
  const named = filesEndingIn('.tsx').filter((file) =>
    /\b(name|icon)=(\{[^}]*)?["'](left|right)["']/.test(readFileSync(file, 'utf8')),
  )
  expect(named.map((file) => relative(source, file)).filter((file) => !file.startsWith('features/reader/'))).toEqual([])
})
