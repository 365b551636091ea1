import './ui/theme/styles.css'
import 'virtual:mantine-variables.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { rememberRequests } from './api/early-requests.ts'
import { deviceHeaders } from './api/call.ts'
import { queryClient } from './api/queries.ts'
import { startLanguage } from './text/language.ts'
import { painted } from './ui/state/first-paint.ts'
import { UiProvider } from './ui/theme/ui-provider.tsx'

const address = (): string => location.pathname + location.search

const loadFirst = async (load: () => Promise<void>): Promise<void> => {
  const page = address()
  await load()
  await painted
  // Whoever was led elsewhere has asked for what belongs there.
  if (address() === page) rememberRequests(page, deviceHeaders)
}

/** It renders one of the two documents, the app or the reader, into its page; what that asks the server for is asked first. */
export const start = async (pages: ReactNode, load: () => Promise<void>): Promise<void> => {
  const root = document.getElementById('app')
  if (!root) throw new Error('The page has no place for the app')
  await startLanguage()
  void loadFirst(load)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <UiProvider>{pages}</UiProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
