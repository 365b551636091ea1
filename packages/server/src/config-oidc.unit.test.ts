import { expect, test } from 'vitest'
import { ConfigError, describeConfig, readConfig } from './config.ts'

const minimal = {
  CARREL_PUBLIC_URL: 'https://books.example.org',
  CARREL_OIDC_PROVIDERS: 'main',
  CARREL_OIDC_MAIN_ISSUER: 'https://id.example.org/realms/home',
  CARREL_OIDC_MAIN_CLIENT_ID: 'carrel',
  CARREL_OIDC_MAIN_CLIENT_SECRET: 'not for the log',
}
const environment = (env: Record<string, string>) => ({ env, workingDir: '/nonexistent', isTerminal: false })
const read = (env: Record<string, string>) => readConfig(environment(env)).oidc
const refusalOf = (env: Record<string, string | undefined>): string => {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  try {
    read(Object.fromEntries(given))
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'accepted'
}

test('AUTH-8 CFG-3 a provider needs an address, an id and a secret; the rest is as careful as it can be', () => {
  expect(read(minimal)).toEqual({
    callbackBase: 'https://books.example.org',
    redirectUris: [],
    providers: [
      {
        name: 'main',
        displayName: 'main',
        issuer: new URL('https://id.example.org/realms/home'),
        clientId: 'carrel',
        clientSecret: 'not for the log',
        scopes: ['openid', 'profile', 'email'],
        groupsClaim: 'groups',
        usernameClaim: 'preferred_username',
        adminGroups: [],
        editorGroups: [],
        readerGroups: [],
        defaultRole: 'reader',
        createUsers: false,
        linkByEmail: false,
      },
    ],
  })
})

test('AUTH-8 CFG-3 every setting of a provider is read, and several providers keep theirs apart', () => {
  const { providers, redirectUris } = read({
    ...minimal,
    CARREL_OIDC_PROVIDERS: 'main, my-work2',
    CARREL_OIDC_REDIRECT_URIS: 'com.example.reader:/in,https://app.example.org/in?a=b,http://127.0.0.1:9000/in',
    CARREL_OIDC_MY_WORK2_ISSUER: 'http://[::1]:9000',
    CARREL_OIDC_MY_WORK2_CLIENT_ID: 'c',
    CARREL_OIDC_MY_WORK2_CLIENT_SECRET: 's',
    CARREL_OIDC_MY_WORK2_DISPLAY_NAME: 'At work',
    CARREL_OIDC_MY_WORK2_SCOPES: 'openid groups',
    CARREL_OIDC_MY_WORK2_GROUPS_CLAIM: 'realm_access.roles',
    CARREL_OIDC_MY_WORK2_USERNAME_CLAIM: 'nickname',
    CARREL_OIDC_MY_WORK2_ADMIN_GROUPS: 'a, /b c',
    CARREL_OIDC_MY_WORK2_EDITOR_GROUPS: 'd',
    CARREL_OIDC_MY_WORK2_READER_GROUPS: 'e',
    CARREL_OIDC_MY_WORK2_DEFAULT_ROLE: 'none',
    CARREL_OIDC_MY_WORK2_CREATE_USERS: 'yes',
    CARREL_OIDC_MY_WORK2_LINK_BY_EMAIL: '1',
  })

  expect(redirectUris).toEqual(['com.example.reader:/in', 'https://app.example.org/in?a=b', 'http://127.0.0.1:9000/in'])
  expect(providers.map(({ name, clientId }) => [name, clientId])).toEqual([
    ['main', 'carrel'],
    ['my-work2', 'c'],
  ])
  expect(providers[1]).toMatchObject({
    displayName: 'At work',
    issuer: new URL('http://[::1]:9000'),
    scopes: ['openid', 'groups'],
    groupsClaim: 'realm_access.roles',
    usernameClaim: 'nickname',
    adminGroups: ['a', '/b c'],
    editorGroups: ['d'],
    readerGroups: ['e'],
    defaultRole: 'none',
    createUsers: true,
    linkByEmail: true,
  })
})

test('AUTH-8 where providers send people back to: the public address, else this machine, with the base path', () => {
  const { CARREL_PUBLIC_URL: _, ...local } = minimal
  const base = (env: Record<string, string>) => read(env).callbackBase

  expect(base({ ...minimal, CARREL_PUBLIC_URL: 'https://x.org/shelf', CARREL_BASE_PATH: '/shelf' })).toBe(
    'https://x.org/shelf',
  )
  expect(base(local)).toBe('http://127.0.0.1:8080')
  expect(base({ ...local, CARREL_HOST: '::1', CARREL_PORT: '81', CARREL_BASE_PATH: '/b' })).toBe('http://[::1]:81/b')
  for (const env of [{ CARREL_HOST: '0.0.0.0' }, { CARREL_HOST: 'books' }, { CARREL_PORT: '0' }]) {
    expect(refusalOf({ ...local, ...env })).toBe(
      'CARREL_PUBLIC_URL is not set, but CARREL_OIDC_PROVIDERS needs it: set it to the address people use, to which providers send them back',
    )
  }
  expect(refusalOf({ CARREL_HOST: '0.0.0.0' })).toBe('accepted')
})

const name = 'a list of names of up to 32 small letters, digits and hyphens, each once, such as main'
const issuer = 'an https:// address without ? and # (http:// only for this machine)'
const app = 'a list of addresses such as com.example.reader:/signed-in (http:// only for this machine, no fragment)'
const wrong: [Record<string, string | undefined>, string][] = [
  [{ CARREL_OIDC_PROVIDERS: 'Main' }, `CARREL_OIDC_PROVIDERS is "Main", but must be ${name}`],
  [{ CARREL_OIDC_PROVIDERS: 'a b' }, `CARREL_OIDC_PROVIDERS is "a b", but must be ${name}`],
  [{ CARREL_OIDC_PROVIDERS: 'main,main' }, 'CARREL_OIDC_PROVIDERS names main twice'],
  [
    { CARREL_OIDC_MAIN_ISSUER: undefined },
    `CARREL_OIDC_MAIN_ISSUER is not set, but CARREL_OIDC_PROVIDERS names main: set it to ${issuer}`,
  ],
  [
    { CARREL_OIDC_MAIN_CLIENT_ID: undefined },
    'CARREL_OIDC_MAIN_CLIENT_ID is not set, but CARREL_OIDC_PROVIDERS names main: set it to 1 to 256 characters',
  ],
  [
    { CARREL_OIDC_MAIN_CLIENT_SECRET: undefined },
    'CARREL_OIDC_MAIN_CLIENT_SECRET is not set, but CARREL_OIDC_PROVIDERS names main: set it to 1 to 1024 characters',
  ],
  [
    { CARREL_OIDC_MAIN_CLIENT_SECRET: 'x'.repeat(1025) },
    'CARREL_OIDC_MAIN_CLIENT_SECRET is set to something, but must be 1 to 1024 characters',
  ],
  ...[
    'http://id.example.org',
    'ftp://id',
    'id.example.org',
    'https://a@b',
    'https://id?x',
    'https://id#x',
    'https://',
  ].map((value): [Record<string, string>, string] => [
    { CARREL_OIDC_MAIN_ISSUER: value },
    `CARREL_OIDC_MAIN_ISSUER is "${value}", but must be ${issuer}`,
  ]),
  ...[
    'http://app.example.org/in',
    'https://app/in#x',
    'javascript:alert(1)',
    'data:text/html',
    'file:///etc',
    '/in',
    'in',
    'a:b c',
  ].map((value): [Record<string, string>, string] => [
    { CARREL_OIDC_REDIRECT_URIS: value },
    `CARREL_OIDC_REDIRECT_URIS is "${value}", but must be ${app}`,
  ]),
  [
    { CARREL_OIDC_MAIN_SCOPES: 'profile email' },
    'CARREL_OIDC_MAIN_SCOPES is "profile email", but must be a list of scopes that includes openid',
  ],
  [
    { CARREL_OIDC_MAIN_DEFAULT_ROLE: 'admin' },
    'CARREL_OIDC_MAIN_DEFAULT_ROLE is "admin", but must be one of reader, none',
  ],
  [
    { CARREL_OIDC_MAIN_DEFAULT_ROLE: 'none' },
    'CARREL_OIDC_MAIN_DEFAULT_ROLE is "none", but no groups are given: nobody could sign in. Set CARREL_OIDC_MAIN_READER_GROUPS, or reader',
  ],
  [
    { CARREL_OIDC_MAIN_CREATE_USERS: 'perhaps' },
    'CARREL_OIDC_MAIN_CREATE_USERS is "perhaps", but must be true or false',
  ],
]

test('AUTH-8 CFG-2 a wrong or missing setting stops the start with a line that says which and what is allowed', () => {
  for (const [env, message] of wrong) expect(refusalOf({ ...minimal, ...env })).toBe(message)
})

test('AUTH-8 CFG-2 the secret is masked, and settings of a provider that is not listed are warned about', () => {
  const env = { ...minimal, CARREL_OIDC_WORK_ISSUER: 'https://id', CARREL_OIDC_MAIN_ISSUERS: 'x' }
  const lines = describeConfig(environment(env))

  expect(lines.join('\n')).not.toContain('not for the log')
  expect(lines).toEqual(
    expect.arrayContaining([
      'CARREL_OIDC_PROVIDERS=main',
      'CARREL_OIDC_REDIRECT_URIS=(empty)  (default)',
      'CARREL_OIDC_MAIN_ISSUER=https://id.example.org/realms/home',
      'CARREL_OIDC_MAIN_CLIENT_SECRET=********',
      'CARREL_OIDC_MAIN_DISPLAY_NAME=(not set)  (default)',
      'CARREL_OIDC_MAIN_LINK_BY_EMAIL=false  (default)',
    ]),
  )
  expect(readConfig(environment(env)).warnings).toEqual([
    'CARREL_OIDC_WORK_ISSUER is not a setting of Carrel and has no effect',
    'CARREL_OIDC_MAIN_ISSUERS is not a setting of Carrel and has no effect',
  ])
})
