import { DirectionProvider, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { LiveRegion } from '../state/live-region.tsx'
import { colorSchemeManager } from './colour-scheme.ts'
import { Shortcuts } from '../keyboard/shortcuts.tsx'
import { theme } from './theme.ts'
import { Toasts } from '../state/toasts.tsx'

/**
 * Every component of ui/ needs it around itself, once. Mantine writes no style elements: its variables are a style
 * sheet.
 */
export const UiProvider = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <MantineProvider
    theme={theme}
    colorSchemeManager={colorSchemeManager}
    defaultColorScheme="auto"
    withCssVariables={false}
    withGlobalClasses={false}
    withStaticClasses={false}
  >
    {/* It follows the `dir` of the document. */}
    <DirectionProvider>
      {children}
      <Toasts />
      <Shortcuts />
      <LiveRegion />
    </DirectionProvider>
  </MantineProvider>
)
