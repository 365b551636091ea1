import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { mismatch } from '../input/validate.ts'
import { withoutCoding } from './compress.ts'

type Serialise = (value: unknown) => string

const compiled = new WeakMap<TSchema, Serialise>()

/** Writes what the contract names and nothing else: a field that slipped into an answer does not leave the server. */
export const serialise = (schema: TSchema, value: unknown): string => {
  const cached = compiled.get(schema)
  if (cached) return cached(value)
  // Each has a validator of its own for what may have several forms, and none of them checks schemas.
  const made = fastJson(schema as Parameters<typeof fastJson>[0], { ajv: { meta: false } })
  compiled.set(schema, made)
  return made(value)
}

/** In tests and development: an answer that is not to the letter of the contract is a fault. */
export const requireContract = (schema: TSchema, value: unknown, serialised: string, name: string): void => {
  const plain: unknown = JSON.parse(JSON.stringify(value))
  const problem = mismatch(schema, plain)
  if (problem) throw new ContractError(`The reply of ${name} does not fit its contract: ${problem}`)
  if (!isDeepStrictEqual(JSON.parse(serialised), plain))
    throw new ContractError(`The reply of ${name} loses something when it is written`)
}

export class ContractError extends Error {
  override readonly name = 'ContractError'
}

/** Strong: it is made from the very bytes that are sent. */
export const etagOf = (content: string | Buffer): string => `"${hash('sha1', content, 'base64url')}"`

/** Whether a list of entity tags, as If-None-Match and If-Match hold, names this one. */
export const namesEtag = (header: string, etag: string): boolean => {
  if (header === etag || header.trim() === '*') return true
  const plain = withoutCoding(etag)
  return withoutCoding(header)
    .split(',')
    .some((each) => each.trim().replace(/^W\//, '') === plain)
}

/** The tag of a reply and of what people change of it: `"reply.editable"`. */
export const joinEtags = (reply: string, editable: string): string => `${reply.slice(0, -1)}.${editable.slice(1)}`

/** Whether If-Match expects the record with this tag, by itself or as the editable part of a reply. */
export const expectsRecord = (header: string, etag: string): boolean =>
  namesEtag(header.replaceAll(/"[^".]*\./g, '"'), etag)
