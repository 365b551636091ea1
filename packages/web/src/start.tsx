import './ui/theme/styles.css'
import 'virtual:mantine-variables.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/queries.ts'
import { startLanguage } from './text/language.ts'
import { UiProvider } from './ui/theme/ui-provider.tsx'

/** It renders one of the two documents, the app or the reader, into its page; what that asks the server for is asked first. */
export const start = async (pages: ReactNode, ask: () => void): Promise<void> => {
  const root = document.getElementById('app')
  if (!root) throw new Error('The page has no place for the app')
  await startLanguage()
  ask()
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <UiProvider>{pages}</UiProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
