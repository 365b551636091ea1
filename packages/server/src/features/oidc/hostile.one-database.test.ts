import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import * as api from '@carrel/api'
import { generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { type HostileBehaviour, startHostileIssuer } from '../../../test/hostile-issuer.ts'
import { begin, newBrowser, signInAs } from '../../../test/oidc-browser.ts'
import { callbackUrl, clientSecret, settingsFor, startProvider } from '../../../test/oidc-provider.ts'
import { errorOf } from '../../../test/outcome.ts'
import { selfSigned } from '../../../test/self-signed.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

const creating = { CARREL_OIDC_MAIN_CREATE_USERS: 'true' }

/** It returns where a sign-in ends whose provider behaves like this. */
const endWith = async (behaviour: HostileBehaviour): Promise<string> => {
  await using issuer = await startHostileIssuer(behaviour)
  await using server = await startServer({ env: settingsFor(issuer.issuer, creating) })
  const { location, browser } = await signInAs(server, 'nobody')
  if (location !== '/') await requireNothingLeft(server, browser.cookie('carrel_session'))
  return location
}

const requireNothingLeft = async ({ context }: TestServer, cookie: string | undefined): Promise<void> => {
  const users = await context.db.read.selectFrom('user').select('id').execute()
  const sessions = await context.db.read.selectFrom('session').select('id').execute()
  expect([users, sessions, cookie]).toEqual([[], [], undefined])
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const byHash = (claims: Record<string, unknown>, secret: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret))

test('AUTH-8 the handmade provider is believed as long as it is honest', async () => {
  expect(await endWith({})).toBe('/')
  expect(await endWith({ userInfo: () => ({ sub: 'mallory' }) })).toBe('/')
})

const refused: Record<string, HostileBehaviour> = {
  'a wrong nonce': { claims: (own) => ({ ...own, nonce: 'another' }) },
  'no nonce': { claims: (own) => ({ ...own, nonce: undefined }) },
  'another audience': { claims: (own) => ({ ...own, aud: 'another' }) },
  'another issuer in the token': { claims: (own) => ({ ...own, iss: 'http://127.0.0.1:1' }) },
  'a token that has expired': { claims: (own) => ({ ...own, exp: Number(own.iat) - 3600 }) },
  'no subject': { claims: (own) => ({ ...own, sub: undefined }) },
  'a subject that is no text': { claims: (own) => ({ ...own, sub: 12 }) },
  'an empty subject': { claims: (own) => ({ ...own, sub: '' }) },
  'a subject no database keeps': { claims: (own) => ({ ...own, sub: 'a\u0000b' }) },
  'a token without a signature': { sign: (claims) => `${part({ alg: 'none' })}.${part(claims)}.` },
  'a token signed with the client secret': { sign: (claims) => byHash(claims, clientSecret) },
  'a token signed with an empty secret': { sign: (claims) => byHash(claims, ' ') },
  'a token signed with another key': {
    sign: async (claims) => {
      const { privateKey } = await generateKeyPair('RS256')
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
    },
  },
  'a token that was changed': {
    sign: async (claims, honest) => {
      const [header = '', , signature = ''] = (await honest()).split('.')
      return `${header}.${part({ ...claims, sub: 'somebody else' })}.${signature}`
    },
  },
  'no token': { sign: () => '' },
  'nonsense for a token': { sign: () => 'nonsense' },
  'no keys': { keys: () => ({ keys: [] }) },
  'ten megabytes of keys': { keys: () => ({ keys: [], padding: 'x'.repeat(10_000_000) }) },
  'userinfo of somebody else': { userInfo: () => ({ sub: 'somebody else', email: 'ana@example.org' }) },
  'the iss of another provider': { answer: (own) => own.set('iss', 'https://id.example.org') },
  'no iss although it promised one': { answer: (own) => own.delete('iss') },
  'no code': { answer: (own) => own.delete('code') },
  'a refusal of the code': {
    token: (response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
      return true
    },
  },
  'a page in place of tokens': {
    token: (response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello')
      return true
    },
  },
  'a redirect in place of tokens': {
    token: (response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
      return true
    },
  },
}

for (const [what, behaviour] of Object.entries(refused)) {
  test(`AUTH-8 a provider that sends ${what} is not believed`, async () => {
    expect(await endWith(behaviour)).toBe('/?error=oidc_failed')
  })
}

test('AUTH-8 a provider whose token endpoint fails is away for the moment', async () => {
  const failing = (respond: (response: ServerResponse) => void): HostileBehaviour => ({
    token: (response) => {
      respond(response)
      return true
    },
  })
  expect(await endWith(failing((response) => response.writeHead(503).end()))).toBe('/?error=oidc_unavailable')
  expect(await endWith(failing((response) => response.destroy()))).toBe('/?error=oidc_unavailable')
})

test('AUTH-8 the code goes out with the PKCE verifier that was promised, and a state is never a verifier', async () => {
  await using issuer = await startHostileIssuer()
  await using server = await startServer({ env: settingsFor(issuer.issuer, creating) })
  const browser = newBrowser(() => server)
  const redirectUrl = await begin(browser)
  await browser.open(await browser.walk(redirectUrl))
  const { state, code_challenge: challenge } = Object.fromEntries(new URL(redirectUrl).searchParams)
  const verifier = issuer.tokenRequests[0]?.get('code_verifier') ?? ''
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(verifier))

  expect(verifier).toMatch(/^[\w-]{43}$/)
  expect(Buffer.from(digest).toString('base64url')).toBe(challenge)
  expect(verifier).not.toBe(state)
})

test('AUTH-8 of two providers one cannot finish what was begun at the other', async () => {
  await using honest = await startProvider()
  // It sends the browser back to the honest provider's callback, with that one's name and without.
  let iss: string | undefined
  await using hostile = await startHostileIssuer({
    answer: (own) => (iss === undefined ? own.delete('iss') : own.set('iss', iss)),
  })
  const settings = settingsFor(honest.issuer, creating)
  await using server = await startServer({
    env: {
      ...settings,
      CARREL_OIDC_PROVIDERS: 'main,two',
      CARREL_OIDC_TWO_ISSUER: hostile.issuer,
      CARREL_OIDC_TWO_CLIENT_ID: 'carrel',
      CARREL_OIDC_TWO_CLIENT_SECRET: clientSecret,
      CARREL_OIDC_TWO_CREATE_USERS: 'true',
    },
  })
  // The code of the one, under the state of the other: as if the person had been lured from one to the other.
  const browser = newBrowser(() => server, 'ana-1')
  const victim = new URL(await browser.walk(await begin(browser)))
  const crossed = []
  for (iss of [honest.issuer, hostile.issuer, undefined]) {
    const url = new URL(callbackUrl('main'))
    url.search = new URL(await browser.walk(await begin(browser, undefined, 'two'))).search
    url.searchParams.set('code', victim.searchParams.get('code') ?? '')
    crossed.push((await browser.open(url.href)).status)
  }
  iss = honest.issuer
  const atTwo = new URL(await browser.walk(await begin(browser, undefined, 'two')))
  atTwo.searchParams.set('code', victim.searchParams.get('code') ?? '')
  const straight = await browser.open(atTwo.href)

  expect(crossed).toEqual([401, 401, 401])
  expect(straight.headers.location).toBe('/?error=oidc_failed')
  // The code of the one never reached the other.
  expect(hostile.tokenRequests).toEqual([])
  expect((await browser.open(victim.href)).headers.location).toBe('/')
})

test('AUTH-8 a provider that does not describe itself as configured is not asked to sign anybody in', async () => {
  const descriptions: HostileBehaviour['metadata'][] = [
    (own) => ({ ...own, issuer: 'https://id.example.org' }),
    (own) => ({ ...own, issuer: `${String(own.issuer)}/other` }),
    () => ({}),
    (own) => ({ ...own, padding: 'x'.repeat(2_000_000) }),
  ]
  for (const metadata of descriptions) {
    await using issuer = await startHostileIssuer({ ...(metadata && { metadata }) })
    await using server = await startServer({ env: settingsFor(issuer.issuer, creating) })
    const begun = await server.call(api.beginOidcLogin, { params: { provider: 'main' } })
    expect([begun.status, errorOf(begun).error]).toEqual([503, 'unavailable'])
  }
})

test('AUTH-8 the log says what is wrong with the address of a provider', async () => {
  await using issuer = await startHostileIssuer({ metadata: (own) => ({ ...own, issuer: `${String(own.issuer)}/` }) })
  await using server = await startServer({ env: settingsFor(`${issuer.issuer}/home`, creating) })
  await server.call(api.beginOidcLogin, { params: { provider: 'main' } })

  const [warning] = server.logLines.filter(({ level }) => level === 'warn')
  expect(warning?.cause).toContain(`configured is ${issuer.issuer}/home, it says ${issuer.issuer}/`)
})

test('AUTH-8 a provider on this machine cannot have the secret sent elsewhere unencrypted', async () => {
  // Leads to this machine too, but is no address of it.
  const elsewhere = (own: Record<string, unknown>) => String(own.token_endpoint).replace('127.0.0.1', '0.0.0.0')
  await using issuer = await startHostileIssuer({ metadata: (own) => ({ ...own, token_endpoint: elsewhere(own) }) })
  await using server = await startServer({ env: settingsFor(issuer.issuer, creating) })

  expect((await signInAs(server, 'nobody')).location).toBe('/?error=oidc_failed')
  expect(issuer.tokenRequests).toEqual([])
})

test('AUTH-8 a provider whose certificate nobody vouches for is told nothing', async () => {
  let requestCount = 0
  const provider = createServer(selfSigned, (_, response) => {
    requestCount += 1
    response.end()
  })
  await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve))
  const issuer = `https://127.0.0.1:${(provider.address() as AddressInfo).port}`
  await using server = await startServer({ env: settingsFor(issuer) })
  const begun = await server.call(api.beginOidcLogin, { params: { provider: 'main' } })
  provider.close()

  expect([begun.status, requestCount]).toEqual([503, 0])
  const [warning] = server.logLines.filter(({ level }) => level === 'warn')
  expect(warning?.cause).toContain('SELF_SIGNED_CERT')
})

test('AUTH-8 AUTH-1 a token of the provider is no token of ours', async () => {
  await using issuer = await startHostileIssuer()
  await using server = await startServer({ env: settingsFor(issuer.issuer, creating) })
  expect((await signInAs(server, 'nobody')).location).toBe('/')
  expect(issuer.idToken()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  for (const token of [issuer.idToken(), 'for nothing']) {
    const me = await server.callWith({ authorization: `Bearer ${token}` })(api.readMe, {})
    expect([me.status, errorOf(me).error]).toEqual([401, 'not_authenticated'])
  }
})
