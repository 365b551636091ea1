import type { OpdsAuthentication } from '@carrel/api/doors'
import { hrefOf, type FeedContext } from './feed.ts'

/** It explains how to sign in, for applications that ask (Authentication for OPDS). */
export const authenticationDocument = (feedContext: FeedContext, takesBasic: boolean): OpdsAuthentication => ({
  id: authenticationAddress(feedContext),
  title: 'Carrel',
  description: takesBasic
    ? 'Sign in with your user name, and your password or an API key.'
    : 'Applications sign in with an API key in the header X-API-Key here.',
  links: [
    { rel: 'start', href: feedContext.origin + hrefOf(feedContext, 'v2', { path: '' }), type: 'application/opds+json' },
  ],
  authentication: takesBasic
    ? [
        {
          type: 'http://opds-spec.org/auth/basic',
          labels: { login: 'User name', password: 'Password or API key' },
        },
      ]
    : [],
})

export const authenticationAddress = (feedContext: FeedContext): string =>
  feedContext.origin + hrefOf(feedContext, 'v2', { path: '/auth' })
