import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../features/settings/settings.ts'
import { notFound } from '../../platform/errors.ts'
import { profileNamed, profileOf } from './profiles.ts'

/** It says how ids and the roles of people are written for the caller (COM-2). */
export interface Spelling {
  readonly name: 'law' | 'komga'
  readonly outId: (id: string) => string
  readonly authors: (people: readonly Person[]) => { name: string; role: string }[]
}

interface Person {
  readonly name: string
  readonly role?: string | null | undefined
}

/**
 * An administrator can force a spelling; otherwise it is the one that the asking application needs, or the one that
 * opened the session or used the key.
 */
export const spellingOf = (request: FastifyRequest, settings: Pick<Settings, 'get'>): Spelling => {
  const forced = settings.get('compat.spelling')
  if (forced === 'law' || forced === 'komga') return spellings[forced]
  const { by } = request.caller ?? {}
  const profile = profileOf(request) ?? (by && by.kind !== 'password' ? profileNamed(by.client) : undefined)
  return spellings[profile?.spelling ?? 'law']
}

const lawRoles = new Set(['WRITER', 'PENCILLER', 'INKER', 'COLORIST', 'LETTERER', 'COVER', 'EDITOR'])
const knownAs: Readonly<Record<string, string>> = {
  author: 'writer',
  co_author: 'writer',
  illustrator: 'penciller',
  artist: 'penciller',
  cover_artist: 'cover',
}

export const compatRole = (role: string | null | undefined): string => {
  const plain = role?.trim().toLowerCase() || 'author'
  return knownAs[plain] ?? plain
}

/** A person named twice for what is one role here is listed once. */
const withRoles = (people: readonly Person[], roleOf: (role: string) => string) => {
  const distinct = new Map<string, { name: string; role: string }>()
  for (const { name, role } of people) {
    const author = { name, role: roleOf(compatRole(role)) }
    distinct.set(JSON.stringify(author), author)
  }
  return [...distinct.values()]
}

const spellings: Readonly<Record<Spelling['name'], Spelling>> = {
  law: {
    name: 'law',
    outId: (id) => id,
    authors: (people) => withRoles(people, (role) => role.toUpperCase()).filter(({ role }) => lawRoles.has(role)),
  },
  komga: {
    name: 'komga',
    outId: (id) => id.replaceAll('-', ''),
    authors: (people) => withRoles(people, (role) => role),
  },
}

/** The id as we keep it, from either spelling; undefined when it is the id of nothing. */
export const inId = (text: string): string | undefined => {
  const [, a, b, c, d, e] =
    /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/.exec(text.toLowerCase()) ?? []
  return a === undefined ? undefined : `${a}-${b}-${c}-${d}-${e}`
}

/** The same for an id in an address: without it there is nothing there. */
export const requireId = (text: string, what: string): string => {
  const id = inId(text)
  if (id === undefined) throw notFound(what)
  return id
}

/** Clients parse exactly this: no fraction (W17). */
export const timestamp = (at: string): string => `${at.slice(0, 19)}Z`
