import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { deriveKey } from '../../platform/secrets/tokens.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { accessTokens } from './access-token.ts'

const inBase64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const withHmac = (key: Buffer | string, header: object, payload: object, digest = 'sha256'): string => {
  const text = `${inBase64(header)}.${inBase64(payload)}`
  return `${text}.${createHmac(digest, key).update(text).digest('base64url')}`
}

interface Claims {
  readonly [name: string]: unknown
}

const without = (claims: Claims, name: string): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name))

const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims

/** Sixty tokens that somebody might try, none of which we have signed for this use. */
const forge = async (server: TestServer, ana: Person): Promise<Record<string, string>> => {
  const { secret, clock } = server.context
  const key = deriveKey(secret, 'access-token')
  const header = { alg: 'HS256', typ: 'at+jwt' }
  const claims = claimsOf(ana.accessToken)
  const [head = '', body = '', signature = ''] = ana.accessToken.split('.')
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const rsaText = `${inBase64({ ...header, alg: 'RS256' })}.${body}`
  const seconds = Math.floor(clock().getTime() / 1000)
  const another = await accessTokens('the secret of another installation, quite another', clock).sign(ana.id, newId())

  const unsigned = ['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg) => [
    [`alg ${alg} without signature`, `${inBase64({ ...header, alg })}.${body}.`],
    [`alg ${alg} with the signature of a good one`, `${inBase64({ ...header, alg })}.${body}.${signature}`],
  ])
  const headers = Object.entries({
    'HS384 header': { ...header, alg: 'HS384' },
    'RS256 header over HMAC': { ...header, alg: 'RS256' },
    'ES256 header over HMAC': { ...header, alg: 'ES256' },
    'typ JWT': { ...header, typ: 'JWT' },
    'no typ': { alg: 'HS256' },
    'typ of an ID token': { ...header, typ: 'id+jwt' },
    'no alg': { typ: 'at+jwt' },
    'alg as a list': { ...header, alg: ['HS256'] },
    'unknown critical header': { ...header, crit: ['b64'], b64: false },
    'unencoded payload': { ...header, crit: ['nonsense'], nonsense: 1 },
  }).map(([name, forged]) => [name, withHmac(key, forged, claims)])
  const wrongKeys = Object.entries({
    'an empty key': '',
    'the secret itself': secret,
    'the key of another purpose': deriveKey(secret, 'refresh-token'),
    'a public key': publicPem,
    'a guessed key': 'secret',
    'a file named by kid': Buffer.alloc(0),
  }).map(([name, wrong]) => [name, withHmac(wrong, { ...header, kid: '../../../../dev/null' }, claims)])
  const pointing = ['jku', 'x5u', 'jwk', 'x5c'].map((name) => [
    `${name} in the header`,
    withHmac('k', { ...header, [name]: name === 'jwk' ? { kty: 'oct', k: 'aw' } : 'http://127.0.0.1:9/keys' }, claims),
  ])
  const payloads = Object.entries({
    'wrong audience': { ...claims, aud: 'another' },
    'no audience': without(claims, 'aud'),
    'wrong issuer': { ...claims, iss: 'another' },
    'no issuer': without(claims, 'iss'),
    'no session': without(claims, 'sid'),
    'session of another kind': { ...claims, sid: 7 },
    'session of nobody': { ...claims, sid: newId() },
    'no subject': without(claims, 'sub'),
    'another subject': { ...claims, sub: newId() },
    'subject as a list': { ...claims, sub: [claims.sub] },
    'no expiry': without(claims, 'exp'),
    'expiry as text': { ...claims, exp: String(claims.exp) },
    'expiry null': { ...claims, exp: null },
    'expiry true': { ...claims, exp: true },
    'expired by a second': { ...claims, exp: seconds - 1 },
    'expiring now': { ...claims, exp: seconds },
    'not valid before tomorrow': { ...claims, nbf: seconds + 86_400 },
    'not before as text': { ...claims, nbf: 'yesterday' },
    'issued as text': { ...claims, iat: 'today' },
  }).map(([name, forged]) => [name, withHmac(key, header, forged)])
  const damaged = Object.entries({
    'no signature': `${head}.${body}.`,
    'two parts': `${head}.${body}`,
    'four parts': `${ana.accessToken}.x`,
    'a changed body': `${head}.${inBase64({ ...claims, sub: newId() })}.${signature}`,
    'a changed signature': `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    'half a signature': `${head}.${body}.${signature.slice(0, 20)}`,
    'not base64': `${head}.${body}.${'!'.repeat(43)}`,
    'no JSON': `${head}.${Buffer.from('no JSON').toString('base64url')}.${signature}`,
    'a list for a payload': withHmac(key, header, [claims]),
    'dots only': '..',
    nonsense: 'nonsense',
    'the refresh token': ana.refreshToken,
    'the session cookie': ana.cookie.replace('carrel_session=', ''),
    'the user id': ana.id,
    'a huge token': `${head}.${'A'.repeat(8000)}.${signature}`,
    'a good token that is too long': withHmac(key, header, { ...claims, more: 'x'.repeat(5000) }),
  })
  return Object.fromEntries([
    ...unsigned,
    ...headers,
    ...wrongKeys,
    ...pointing,
    ...payloads,
    ...damaged,
    ['HS512', withHmac(key, { ...header, alg: 'HS512' }, claims, 'sha512')],
    ['RS256', `${rsaText}.${sign('sha256', Buffer.from(rsaText), rsa.privateKey).toString('base64url')}`],
    ["another installation's token", another],
  ]) as Record<string, string>
}

/** It holds everything of an answer that could tell one refusal from another. */
const fingerprint = async (url: string, headers: Record<string, string>): Promise<string> => {
  const { status, text, headers: received } = await plainRequest(url, { headers })
  const remaining = Object.entries(received).filter(([name]) => !['date', 'x-request-id'].includes(name))
  return JSON.stringify([status, text.replace(/"requestId":"[^"]+"/, '"requestId":""'), remaining])
}

test('AUTH-1 no forged token is taken, and all refusals are the same to the byte', async () => {
  await using server = await startServer()
  const ana = await server.person('admin')
  const url = `${server.url}/api/v1/auth/me`
  const forged = await forge(server, ana)
  const { secret } = server.context
  const genuine = withHmac(
    deriveKey(secret, 'access-token'),
    { alg: 'HS256', typ: 'at+jwt' },
    claimsOf(ana.accessToken),
  )

  const answers = new Map<string, string[]>()
  for (const [name, token] of Object.entries(forged)) {
    const answer = await fingerprint(url, { authorization: `Bearer ${token}` })
    answers.set(answer, [...(answers.get(answer) ?? []), name])
  }

  expect(Object.keys(forged).length).toBeGreaterThanOrEqual(60)
  expect([...answers.values()]).toHaveLength(1)
  expect([...answers.keys()][0]).toMatch(/^\[401,/)
  // The forger of this test knows how to sign: what fails above fails for its fault alone.
  expect(await fingerprint(url, { authorization: `Bearer ${genuine}` })).toMatch(/^\[200,/)
})

test('AUTH-3 a key with one letter changed is no key, and all refusals are the same to the byte', async () => {
  await using server = await startServer()
  const ana = await server.person('reader')
  const { key } = bodyOf(await ana.call(api.createApiKey, { body: { name: 'Tablet' } }))
  const changedAt = (index: number): string =>
    `${key.slice(0, index)}${key[index] === 'b' ? 'c' : 'b'}${key.slice(index + 1)}`
  const others = [key.toUpperCase(), `${key} `, `${key}=`, key.slice(0, -1), `x${key}`, key.slice(0, 15), 'carrel_', '']
  const url = `${server.url}/api/v1/auth/me`

  const answers = new Set<string>()
  for (const wrong of [...Array.from(key, (_, index) => changedAt(index)), ...others]) {
    if (wrong.trim() === key) continue
    answers.add(await fingerprint(url, { 'x-api-key': wrong }))
  }

  expect(answers.size).toBe(1)
  expect([...answers][0]).toMatch(/^\[401,/)
  expect(await fingerprint(url, { 'x-api-key': key })).toMatch(/^\[200,/)
})
