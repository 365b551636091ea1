import { createRoute } from '@tanstack/react-router'
import { page, root } from '../../layouts.tsx'
import { word } from '../../search-params.ts'

interface SignInSearch {
  /** Where they wanted to go. */
  readonly from?: string | undefined
  /** Why a sign-in through a provider came to nothing. */
  readonly error?: string | undefined
}

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ from, error }: Record<string, unknown>): SignInSearch => ({
    from: word(from),
    error: word(error),
  }),
  component: page(() => import('./sign-in-page.tsx'), 'SignInPage', ['sign-in']),
})
