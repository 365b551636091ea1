import type { FileFormat } from '@carrel/api'
import type { compatMediaProfiles } from '@carrel/api/doors'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../features/settings/settings.ts'
import { flowingFormats } from '../../formats/flowing/flowing-formats.ts'
import { notFound } from '../../platform/errors.ts'
import { profileNamed, profileOf } from './profiles.ts'

type MediaProfile = (typeof compatMediaProfiles)[number]

/** It says how ids, the roles of people and the kinds of books are written for the caller (COM-2). */
export interface Spelling {
  readonly name: string
  readonly outId: (id: string) => string
  readonly authors: (people: readonly Person[]) => { name: string; role: string }[]
  readonly mediaProfileOf: (format: FileFormat) => MediaProfile
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
  const { by } = request.caller ?? {}
  const profile = profileOf(request) ?? (by && by.kind !== 'password' ? profileNamed(by.client) : undefined)
  const usual = forced === 'law' || forced === 'komga' ? forced : (profile?.spelling ?? 'law')
  return (profile?.opens === undefined ? spellings : spellingsOfFiles)[usual]
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

/**
 * A book read as text is an EPUB to these applications, because it is sent to them as one; books of other kinds have
 * pages.
 */
const mediaProfiles: Readonly<Record<FileFormat, MediaProfile>> = {
  cbz: 'DIVINA',
  cbr: 'DIVINA',
  cb7: 'DIVINA',
  cbt: 'DIVINA',
  folder: 'DIVINA',
  epub: 'EPUB',
  pdf: 'PDF',
  mobi: 'EPUB',
  azw3: 'EPUB',
  fb2: 'EPUB',
}

const spellings = {
  law: {
    name: 'law',
    outId: (id) => id,
    authors: (people) => withRoles(people, (role) => role.toUpperCase()).filter(({ role }) => lawRoles.has(role)),
    mediaProfileOf: (format) => mediaProfiles[format],
  },
  komga: {
    name: 'komga',
    outId: (id) => id.replaceAll('-', ''),
    authors: (people) => withRoles(people, (role) => role),
    mediaProfileOf: (format) => mediaProfiles[format],
  },
} satisfies Readonly<Record<'law' | 'komga', Spelling>>

/** What is sent as text is no EPUB to an app that opens files itself. */
const fileProfileOf = (format: FileFormat): MediaProfile =>
  flowingFormats.has(format) && format !== 'epub' ? '' : mediaProfiles[format]

const spellingsOfFiles: typeof spellings = {
  law: { ...spellings.law, name: 'law of files', mediaProfileOf: fileProfileOf },
  komga: { ...spellings.komga, name: 'komga of files', mediaProfileOf: fileProfileOf },
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
