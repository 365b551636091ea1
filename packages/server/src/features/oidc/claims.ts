import type { Role } from '@carrel/api'
import type { OidcProvider } from '../../config.ts'

/** A provider sends these about somebody: no claim can be relied on to have any form. */
export type Claims = Readonly<Record<string, unknown>>

/** It is a person as a provider knows them. */
export interface Person {
  readonly issuer: string
  readonly subject: string
  readonly username: string | undefined
  /** Only an address that the provider has verified counts. */
  readonly email: string | undefined
  readonly groups: readonly string[]
}

const groupsMax = 1000

type Names = Pick<OidcProvider, 'usernameClaim' | 'groupsClaim'>

/** It reads the ID token and, for what that leaves out, the userinfo endpoint. */
export const personFrom = (idToken: Claims, userInfo: Claims, { usernameClaim, groupsClaim }: Names): Person => {
  const either = { ...userInfo, ...idToken }
  return {
    issuer: String(idToken.iss),
    subject: String(idToken.sub),
    username: textOf(claimAt(either, usernameClaim)),
    // The two claims belong together: one may not vouch for the address of the other.
    email: verifiedEmailOf(idToken.email === undefined ? userInfo : idToken),
    groups: groupsOf(claimAt(idToken, groupsClaim) ?? claimAt(userInfo, groupsClaim)),
  }
}

/** It finds a claim by its name or, where there is none of that name, by its path, such as `realm_access.roles`. */
const claimAt = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim.trim() !== '' ? claim : undefined

const verifiedEmailOf = ({ email, email_verified: isVerified }: Claims): string | undefined =>
  isVerified === true && typeof email === 'string' && emailPattern.test(email) ? email : undefined

const emailPattern = /^(?=.{3,254}$)[^\s@\p{C}]+@[^\s@\p{C}]+$/u

const groupsOf = (claim: unknown): string[] => {
  const items: unknown[] = Array.isArray(claim) ? claim.slice(0, groupsMax) : [claim]
  return [...new Set(items.filter((item) => typeof item === 'string' && isPlain(item)))] as string[]
}

/** Short, and without what no database keeps. */
export const isPlain = (text: string): boolean => /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text)

type Mapping = Pick<OidcProvider, 'adminGroups' | 'editorGroups' | 'readerGroups' | 'defaultRole'>

/** The highest role the groups give. Undefined: roles are none of this provider's business. */
export const roleFrom = (mapping: Mapping, groups: readonly string[]): Role | 'none' | undefined => {
  const { adminGroups, editorGroups, readerGroups, defaultRole } = mapping
  if (adminGroups.length + editorGroups.length + readerGroups.length === 0) return undefined
  const isInOne = (mapped: readonly string[]) => mapped.some((group) => groups.includes(group))
  if (isInOne(adminGroups)) return 'admin'
  if (isInOne(editorGroups)) return 'editor'
  return isInOne(readerGroups) ? 'reader' : defaultRole
}

/** A user name made of whatever a provider calls somebody: of an address the part before the @, nothing invisible. */
export const legalUsername = (preferred: string | undefined): string => {
  const [local = ''] = (preferred ?? '').toWellFormed().normalize('NFC').split('@')
  const clean = shortened(
    local
      .replace(/\p{C}+/gu, '')
      .replace(/\s+/gu, ' ')
      .trim(),
    usernameMax,
  )
  return clean === '' ? 'user' : clean
}

/** The name with a suffix, shortened so that both fit. */
export const withSuffix = (username: string, suffix: string): string =>
  shortened(username, usernameMax - suffix.length) + suffix

const usernameMax = 64
const shortened = (text: string, length: number): string => [...text].slice(0, length).join('').trim()

/** Equal but for the case of A to Z: addresses that only look alike belong to different people. */
export const isSameEmail = (one: string, other: string): boolean => plain(one) === plain(other)

const plain = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
