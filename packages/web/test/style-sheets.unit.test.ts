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

const selectorsWith = (declaration: RegExp): Record<string, string[]> =>
  Object.fromEntries(
    sheets
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
  filesEndingIn('.tsx').flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(/^import (\w+) from '(.+\.module\.css)'/gm)].flatMap(([, name = '', path = '']) =>
      [...text.matchAll(new RegExp(`(?<![-\\w])${name}\\.(\\w+)`, 'g'))].map(
        ([, asked]) => `${relative(source, join(dirname(file), path))} .${asked}`,
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
