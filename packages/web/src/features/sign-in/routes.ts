import { listOidcProviders, readSetupStatus } from '@carrel/api'
import { createRoute, redirect } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { page, root } from '../../layouts.tsx'
import { paths } from '../../paths.ts'
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
  loader: async () => {
    const [{ setupRequired }] = await Promise.all([ensure(readSetupStatus, {}), ensure(listOidcProviders, {})])
    if (setupRequired) throw redirect({ href: paths.setup(), replace: true })
  },
  component: page(() => import('./sign-in-page.tsx'), 'SignInPage', ['sign-in']),
})
