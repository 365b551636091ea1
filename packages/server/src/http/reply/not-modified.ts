import type { FastifyRequest } from 'fastify'
import { namesEtag } from './reply-schema.ts'

interface Version {
  readonly tag: string
  readonly modifiedAt?: Date | undefined
}

/**
 * Whether the client says that it has this version. A time must be the very same one: what is put in the place of a file
 * may well be older than it was.
 */
export const isNotModified = ({ headers }: FastifyRequest, { tag, modifiedAt }: Version): boolean => {
  const tags = headers['if-none-match']
  if (tags !== undefined) return namesEtag(tags, tag)
  return modifiedAt !== undefined && headers['if-modified-since'] === modifiedAt.toUTCString()
}
