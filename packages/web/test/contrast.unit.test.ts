import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { accents } from '../src/ui/theme/accent.ts'

const folder = fileURLToPath(new URL('../src/ui/theme/', import.meta.url))
const sheets = ['base.css', 'looks.css'].map((name) => readFileSync(folder + name, 'utf8')).join('\n')

interface Rule {
  readonly selector: string
  readonly values: ReadonlyMap<string, string>
}

/** The rules outside of media queries, in their order. */
const rules: readonly Rule[] = [
  ...sheets
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}/g, '')
    .matchAll(/([^{}]+)\{([^{}]*)\}/g),
].map(([, selector = '', body = '']) => ({
  selector: selector.trim(),
  values: new Map([...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value])),
}))

interface Worn {
  readonly scheme: 'light' | 'dark'
  readonly appearance: string
  readonly accent: string
}

/** Whether a selector of one compound, such as `:root[data-look='sepia']:not([data-accent])`, means what is worn. */
const isMeant = (selector: string, { scheme, appearance, accent }: Worn): boolean => {
  if (!selector.startsWith(':root')) return false
  const attributes: Readonly<Record<string, string | undefined>> = {
    'data-mantine-color-scheme': scheme,
    'data-look': appearance,
    'data-accent': accent === 'covers' || accent === 'verdigris' ? undefined : accent,
  }
  const rest = selector.slice(':root'.length)
  const parts = [...rest.matchAll(/:not\(\[([\w-]+)\]\)|\[([\w-]+)(?:='([^']*)')?\]/g)]
  if (parts.map(([match]) => match).join('') !== rest) return false
  return parts.every(([, absent, name = '', value]) =>
    absent === undefined
      ? value === undefined
        ? attributes[name] !== undefined
        : attributes[name] === value
      : attributes[absent] === undefined,
  )
}

const weightOf = (selector: string): number => selector.split(/\[/).length

/** The colour that a token has there. */
const colourOf = (token: string, worn: Worn): string => {
  const meant = rules
    .filter(({ selector, values }) => values.has(token) && selector.split(/,\s*/).some((each) => isMeant(each, worn)))
    .toSorted((one, other) => weightOf(one.selector) - weightOf(other.selector))
  const value = meant.at(-1)?.values.get(token) ?? ''
  const [, reference] = /^var\((--[\w-]+)\)$/.exec(value) ?? []
  return reference === undefined ? value : colourOf(reference, worn)
}

const lightnessOf = (colour: string): number => {
  if (!/^#[\da-f]{6}$/.test(colour)) throw new Error(`"${colour}" is no colour`)
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrastOf = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [lightnessOf(one), lightnessOf(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const grounds = ['--surface', '--surface-raised', '--surface-sunken', '--side'] as const
const texts = ['--text', '--text-quiet', '--accent-text', '--danger', '--warning'] as const
const textPairs = [
  ...texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ['--accent-text', '--accent-soft'],
  ['--text', '--accent-soft'],
  ['--danger', '--danger-soft'],
  ['--warning', '--warning-soft'],
  ['--on-accent', '--accent'],
  ['--on-tone', '--tone-accent'],
] as const
/** What is no text: the edges of fields, bars and charts. */
const shapePairs = grounds.flatMap((ground) => [['--line-strong', ground] as const, ['--chart-sure', ground] as const])

const appearances = [
  ['light', 'light'],
  ['dark', 'dark'],
  ['oled', 'dark'],
  ['sepia', 'light'],
  ['eink', 'light'],
] as const

test.each(appearances.flatMap(([appearance, scheme]) => accents.map((accent) => ({ appearance, scheme, accent }))))(
  'A2 in $appearance with $accent every text has a contrast of 4.5, every shape one of 3',
  (worn) => {
    const tooWeak = (pairs: readonly (readonly [string, string])[], least: number): string[] =>
      pairs.flatMap(([one, other]) => {
        const contrast = contrastOf(colourOf(one, worn), colourOf(other, worn))
        return contrast >= least ? [] : [`${one} on ${other}: ${contrast.toFixed(2)}`]
      })
    expect(tooWeak(textPairs, 4.5)).toEqual([])
    expect(tooWeak(shapePairs, 3)).toEqual([])
  },
)

test('S1 before any style sheet is there the bars of a browser have the ground of the look', () => {
  const script = readFileSync(`${folder}../../first-paint.js`, 'utf8')
  for (const [appearance, scheme] of appearances) {
    const [, ground] = new RegExp(`${appearance}: '(#[0-9a-f]{6})'`).exec(script) ?? []
    expect([appearance, ground]).toEqual([appearance, colourOf('--surface', { appearance, scheme, accent: 'covers' })])
  }
})
