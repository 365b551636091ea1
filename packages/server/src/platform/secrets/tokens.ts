import { hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits of chance in 43 characters. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** It is for what is shown and typed, not for secrets. */
export const randomLabel = (length: number): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')

/** Random tokens need no slow hash: there is nothing to guess. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex')
/** Protocols write digests like this in addresses. */
export const sha256Base64 = (text: string): string => hash('sha256', text, 'base64url')
export const md5 = (text: string): string => hash('md5', text, 'hex')

/** A key of its own for each purpose, from the one secret an installation has. */
export const deriveKey = (secret: string, purpose: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'carrel', purpose, bytes))

/** It compares without telling by its time how much was right. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
