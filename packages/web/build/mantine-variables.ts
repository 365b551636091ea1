import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import type { Plugin } from 'vite'
import { theme } from '../src/ui/theme/theme.ts'

const name = 'virtual:mantine-variables.css'

/**
 * What Mantine would write into a `<style>` when the app starts, which our content security policy does not allow:
 * the variables of our theme, as a style sheet.
 */
export const mantineVariables = (): Plugin => ({
  name: 'carrel-mantine-variables',
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  load: (id) => (id === `\0${name}` ? styleSheet() : unwritten(id)),
})

/** It is told to write nothing, and so need not know how. */
const unwritten = (id: string): string | undefined => {
  const writer = /\/(MantineCssVariables|MantineClasses)\.mjs$/.exec(id)?.[1]
  return writer === undefined ? undefined : `export const ${writer} = () => null`
}

/** Colours of Mantine that nothing here has. */
const unused = /^--mantine-color-(?:blue|cyan|grape|green|indigo|lime|orange|pink|teal|violet)-/

const styleSheet = (): string => {
  const { variables, light, dark } = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme))
  const used = { variables: withoutUnused(variables), light: withoutUnused(light), dark: withoutUnused(dark) }
  return `@layer mantine {${convertCssVariables(used, ':root')}}`
}

const withoutUnused = (variables: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !unused.test(name)))
