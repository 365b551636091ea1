import type { webcrypto } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { newId } from '../../platform/ids.ts'
import { deriveKey } from '../../platform/secrets/tokens.ts'

export const accessTokenSeconds = 3600
const party = 'carrel'
const algorithm = 'HS256'
const type = 'at+jwt'
const lengthMax = 4096

export interface AccessTokens {
  sign(userId: string, sessionId: string): Promise<string>
  /** Undefined for anything that we did not sign for this purpose, and for what has run out. */
  verify(token: string): Promise<{ userId: string; sessionId: string; expiresAt: number } | undefined>
}

/** Algorithm, issuer, audience and type are fixed: a token with others is invalid, however it is signed. */
export const accessTokens = (secret: string, clock: () => Date): AccessTokens => {
  let imported: Promise<webcrypto.CryptoKey> | undefined
  // Loading this part of Node takes 8 ms, which a start leaves to whoever comes first.
  const readKey = (): Promise<webcrypto.CryptoKey> =>
    (imported ??= crypto.subtle.importKey(
      'raw',
      deriveKey(secret, 'access-token'),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign', 'verify'],
    ))

  return {
    sign: async (userId, sessionId) => {
      const issuedAt = Math.floor(clock().getTime() / 1000)
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setIssuer(party)
        .setAudience(party)
        .setSubject(userId)
        .setJti(newId())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(await readKey())
    },
    verify: async (token) => {
      if (token.length > lengthMax) return undefined
      try {
        const { payload } = await jwtVerify(token, await readKey(), {
          algorithms: [algorithm],
          issuer: party,
          audience: party,
          typ: type,
          requiredClaims: ['sub', 'sid', 'exp'],
          currentDate: clock(),
        })
        const { sub, sid, exp } = payload
        if (typeof sub !== 'string' || typeof sid !== 'string' || typeof exp !== 'number') return undefined
        return { userId: sub, sessionId: sid, expiresAt: exp * 1000 }
      } catch {
        // The answer is the same for every invalid token: it proves nothing.
        return undefined
      }
    },
  }
}
