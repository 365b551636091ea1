import type { OpdsAuthentication } from '@carrel/api/doors'
import { hrefOf, type FeedContext } from './feed.ts'

/** It explains how to sign in, for applications that ask (Authentication for OPDS). */
export const authenticationDocument = (feedContext: FeedContext, takesBasic: boolean): OpdsAuthentication => ({
  id: authenticationAddress(feedContext),
  title: 'Carrel',
  description: takesBasic ? feedContext.texts.say('signIn.basic') : feedContext.texts.say('signIn.key'),
  links: [
    { rel: 'start', href: feedContext.origin + hrefOf(feedContext, 'v2', { path: '' }), type: 'application/opds+json' },
  ],
  authentication: takesBasic
    ? [
        {
          type: 'http://opds-spec.org/auth/basic',
          labels: {
            login: feedContext.texts.say('signIn.userName'),
            password: feedContext.texts.say('signIn.password'),
          },
        },
      ]
    : [],
})

export const authenticationAddress = (feedContext: FeedContext): string =>
  feedContext.origin + hrefOf(feedContext, 'v2', { path: '/auth' })
