import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
  type MantineTheme,
} from '@mantine/core'
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
  load: (id) => (id === `\0${name}` ? styleSheet() : undefined),
})

const styleSheet = (): string => {
  const ours = variablesOf(mergeMantineTheme(DEFAULT_THEME, theme))
  const theirs = variablesOf(DEFAULT_THEME)
  const variables = convertCssVariables(
    {
      variables: different(ours.variables, theirs.variables),
      light: different(ours.light, theirs.light),
      dark: different(ours.dark, theirs.dark),
    },
    ':root',
  )
  return `@layer mantine {${variables}}`
}

const variablesOf = (theme: MantineTheme) => defaultCssVariablesResolver(theme)

/** The others stand in Mantine's own style sheet. */
const different = (ours: Record<string, string>, theirs: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(ours).filter(([variable, value]) => theirs[variable] !== value))
