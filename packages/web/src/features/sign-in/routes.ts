import { listOidcProviders, readSetupStatus } from '@carrel/api'
import { createRoute, redirect } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { page, root } from '../../frame/layouts.tsx'
import { paths } from '../../navigation/paths.ts'
import { word } from '../../navigation/search-params.ts'

interface SignInSearch {
  /** The user wanted to go to this address. */
  readonly from?: string | undefined
  /** It says why a sign-in through a provider failed. */
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
