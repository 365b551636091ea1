import type { Door } from '@carrel/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../platform/errors.ts'
import type { Texts } from '../texts/texts.ts'
import type { Credential } from './caller.ts'

/** How one door differs from the main API, before any of its routes is asked. */
export interface DoorFrame {
  readonly name: Door
  /** Where its routes are bound, with a slash at both ends. */
  readonly mount: string
  /** Where its addresses begin now; the mount, or what an administrator chose. */
  readonly address: () => string
  /** A closed door does not exist. */
  readonly isOpen: () => boolean
  readonly takesBasic: () => boolean
  /** What it reads besides the places where the main API looks for credentials; the first one present decides. */
  readonly credentialOf?: (request: FastifyRequest) => Credential | 'unreadable' | undefined
  /** What it asks for when somebody must sign in. */
  readonly challenge: (request: FastifyRequest) => string | undefined
  /** Writes headers and type of an error to the reply, and answers its body. Not asked about the limiter's: the law has its shape. */
  readonly refusal: (refusal: Refusal, request: FastifyRequest, reply: FastifyReply) => string
}

export interface Refusal {
  readonly error: AppError
  /** It says the error in the language of the user. */
  readonly sentence: string
  readonly texts: Texts
}

declare module 'fastify' {
  interface FastifyInstance {
    doors: readonly DoorFrame[]
  }
}

/** Where nothing is, and never will be. */
const nowhere = '/~nowhere'

/** The address inside of the house for one that came from outside; a slash at the end is no matter at a door. */
export const throughDoors = (doors: readonly DoorFrame[], url: string): string => {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  const query = end === -1 ? '' : url.slice(end)
  for (const { address, mount, isOpen } of doors) {
    const outside = address()
    if (`${path}/`.startsWith(outside)) {
      if (!isOpen()) return nowhere + url
      const rest = path.slice(outside.length).replace(/\/+$/, '')
      return (rest === '' ? mount.slice(0, -1) : mount + rest) + query
    }
    if (path.startsWith(mount)) return nowhere + url
  }
  return url
}

export const doorOf = ({ server, url }: FastifyRequest): DoorFrame | undefined =>
  server.doors.find(({ mount, isOpen }) => isBehind(mount, url) && isOpen())

const isBehind = (mount: string, url: string): boolean =>
  url.startsWith(mount) || (url.startsWith(mount.slice(0, -1)) && (url[mount.length - 1] ?? '?') === '?')
