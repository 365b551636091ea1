import './ui/styles.css'
import 'virtual:mantine-variables.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { leave } from './api/leave.ts'
import { onSessionEnd, queryClient } from './api/queries.ts'
import { startLanguage } from './language.ts'
import { paths } from './paths.ts'
import { createAppRouter } from './routes.tsx'
import { UiProvider } from './ui/ui-provider.tsx'

const place = document.getElementById('app')
if (!place) throw new Error('The page has no place for the app')

const router = createAppRouter()

onSessionEnd(() => {
  const { pathname, href } = router.state.location
  if (pathname === paths.signIn()) return
  void router.navigate({ href: paths.signIn({ from: href }) }).then(leave)
})

await startLanguage()
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <UiProvider>
        <RouterProvider router={router} />
      </UiProvider>
    </QueryClientProvider>
  </StrictMode>,
)
