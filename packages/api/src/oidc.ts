import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { record } from './schema.ts'
import { SignedIn } from './sign-in.ts'

const tag = 'Sign-in'

/** It says why a sign-in through a provider failed; the page it ends at has it as `?error=`. */
export type OidcFailure =
  | 'oidc_denied'
  | 'oidc_expired'
  | 'oidc_failed'
  | 'oidc_inactive'
  | 'oidc_no_account'
  | 'oidc_not_in_group'
  | 'oidc_unavailable'

const OidcProvider = record(
  {
    name: Type.String(),
    displayName: Type.String({ description: 'For the button.' }),
    loginUrl: Type.String({
      description: 'Below this server. As a link it begins the sign-in; POST answers where to go.',
    }),
  },
  { title: 'OidcProvider' },
)

export const listOidcProviders = endpoint('GET /api/v1/auth/oidc/providers', {
  summary: 'The providers people can sign in through',
  tag,
  access: 'open',
  reply: record({ enabled: Type.Boolean(), providers: Type.Array(OidcProvider) }, { title: 'OidcProviders' }),
  example: {
    reply: {
      enabled: true,
      providers: [{ name: 'main', displayName: 'Our house', loginUrl: '/api/v1/auth/oidc/main/login' }],
    },
  },
})

const byProvider = Type.Object({ provider: Type.String({ minLength: 1, maxLength: 32 }) })
const loginQuery = {
  redirectUri: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Of an app: where the tokens go, in the fragment. One of those the operator lists, to the letter.',
    }),
  ),
  returnTo: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'The page of this server to end at, such as `/series?page=2`. Absent: the front page.',
    }),
  ),
}
const OidcLogin = record(loginQuery, { title: 'OidcLogin' })
export type OidcLogin = Static<typeof OidcLogin>

export const beginOidcLogin = endpoint('POST /api/v1/auth/oidc/{provider}/login', {
  summary: 'Begin to sign in through a provider',
  description: 'Answers the address at the provider to open in the browser.',
  tag,
  access: 'open',
  secret: true,
  params: byProvider,
  body: OidcLogin,
  bodyOptional: true,
  reply: record({ redirectUrl: Type.String() }, { title: 'OidcRedirect' }),
  errors: ['not_found'],
  example: {
    body: { returnTo: '/series' },
    reply: { redirectUrl: 'https://id.example.org/authorize?client_id=carrel&state=9yQ…' },
  },
})

export const followOidcLogin = endpoint('GET /api/v1/auth/oidc/{provider}/login', {
  summary: 'Begin to sign in through a provider, by a link',
  description: 'Leads straight to the provider: for pages without scripts, and for apps that open a browser anyway.',
  tag,
  access: 'open',
  params: byProvider,
  query: Type.Object(loginQuery),
  status: 303,
  errors: ['not_found'],
})

const short = Type.Optional(Type.String({ maxLength: 2048 }))

export const finishOidcLogin = endpoint('GET /api/v1/auth/oidc/{provider}/callback', {
  summary: 'Where a provider sends the browser back to',
  description: [
    'Ends at a page of this server with the cookie of the web app set, or at the address of the app with the tokens in',
    'the fragment (OidcSignedIn as base64url of JSON). What comes to nothing ends there with `?error=`. `oidc_denied`: the',
    'provider did not let the person in, or they changed their mind there. `oidc_expired`: it took longer than ten minutes.',
    '`oidc_failed`: what the provider sent could not be trusted; the log of the server has the details. `oidc_inactive`: the',
    'account here is switched off. `oidc_no_account`: nobody here belongs to this person at the provider, and none may be',
    'made. `oidc_not_in_group`: the person is in none of the groups at the provider that may sign in. `oidc_unavailable`:',
    'the provider does not answer.',
  ].join(' '),
  tag,
  access: 'open',
  params: byProvider,
  query: Type.Object({
    state: Type.String({ minLength: 1, maxLength: 256 }),
    code: short,
    iss: short,
    error: short,
    error_description: short,
  }),
  status: 303,
  errors: ['not_found', 'not_authenticated'],
})

/** An app finds this in the fragment. */
export const OidcSignedIn = record(
  {
    ...SignedIn.properties,
    newAccount: Type.Boolean({ description: 'The account was made by this sign-in.' }),
    provider: Type.String(),
  },
  { title: 'OidcSignedIn' },
)
export type OidcSignedIn = Static<typeof OidcSignedIn>
