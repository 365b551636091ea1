import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { byId, Id } from '../../schema.ts'
import { opdsSearchQuery } from './feed-parameters.ts'
import {
  exampleOpdsAuthentication,
  exampleOpdsManifest,
  exampleOpdsPosition,
  exampleOpdsProgression,
  exampleOpdsPublication,
  OpdsAuthentication,
  OpdsManifest,
  OpdsPosition,
  OpdsPositionUpdate,
  OpdsProgression,
  OpdsProgressionUpdate,
  OpdsPublication,
} from './documents.ts'
import { opdsTypes } from './media-types.ts'
import { opds2, opds2Feed } from './shelves.ts'

export const readOpds2 = endpoint('GET /opds/v2', {
  ...opds2Feed,
  summary: 'Where an OPDS 2 app begins',
  access: 'series:read',
})

export const searchOpds2 = endpoint('GET /opds/v2/search', {
  ...opds2Feed,
  summary: 'Books and series that a search finds',
  access: 'books:read',
  query: opdsSearchQuery,
})

export const readOpdsAuthentication = endpoint('GET /opds/v2/auth', {
  ...opds2,
  summary: 'How to sign in (OPDS authentication document)',
  access: 'open',
  mediaType: opdsTypes.authentication,
  reply: OpdsAuthentication,
  example: { reply: exampleOpdsAuthentication },
})

export const readOpds2Book = endpoint('GET /opds/v2/books/{id}', {
  ...opds2,
  summary: 'One publication',
  access: 'books:read',
  params: byId,
  mediaType: opdsTypes.publication,
  reply: OpdsPublication,
  errors: ['not_found'],
  example: { reply: exampleOpdsPublication },
})

const manifest = {
  ...opds2,
  access: 'pages:read',
  params: byId,
  reply: OpdsManifest,
  errors: ['not_found', 'damaged_file', 'library_unavailable'],
  example: { reply: exampleOpdsManifest },
} as const

export const readOpdsManifest = endpoint('GET /opds/v2/books/{id}/manifest', {
  ...manifest,
  summary: 'What is in a book (Readium Web Publication Manifest)',
  mediaType: opdsTypes.webPublication,
})

export const readOpdsDivina = endpoint('GET /opds/v2/books/{id}/manifest/divina', {
  ...manifest,
  summary: 'The pages of a book as pictures (DIVINA)',
  description: 'A book whose text flows has none: 404.',
  mediaType: opdsTypes.divina,
})

export const readOpds2Page = endpoint('GET /opds/v2/books/{id}/pages/{number}', {
  ...opds2,
  summary: 'One page as the manifest says it',
  access: 'pages:read',
  params: Type.Object({ id: Id, number: Type.Integer({ minimum: 1, description: 'Counted from 1.' }) }),
  mediaType: 'image/*',
  errors: ['not_found', 'damaged_file', 'library_unavailable'],
})

export const readOpdsResource = endpoint('GET /opds/v2/books/{id}/resources/{path}', {
  ...opds2,
  summary: 'A file inside of a book',
  access: 'pages:read',
  params: Type.Object({ id: Id, path: Type.String({ minLength: 1, maxLength: 2000 }) }),
  mediaType: 'application/octet-stream',
  errors: ['not_found', 'damaged_file', 'library_unavailable'],
})

export const readOpdsProgression = endpoint('GET /opds/v2/books/{id}/progression', {
  ...opds2,
  summary: 'Where you are in a book (OPDS Progression)',
  description: '204 when you have not begun it.',
  access: 'progress:read',
  params: byId,
  mediaType: opdsTypes.progression,
  reply: OpdsProgression,
  mayBeEmpty: true,
  errors: ['not_found'],
  example: { reply: exampleOpdsProgression },
})

export const saveOpdsProgression = endpoint('PUT /opds/v2/books/{id}/progression', {
  ...opds2,
  summary: 'Say where you are in a book (OPDS Progression)',
  description: '409 when a later point is known already.',
  access: 'progress:write',
  params: byId,
  mediaType: opdsTypes.progression,
  body: OpdsProgressionUpdate,
  reply: OpdsProgression,
  errors: ['not_found', 'conflict'],
  example: { body: exampleOpdsProgression, reply: exampleOpdsProgression },
})

export const readOpdsPosition = endpoint('GET /opds/v2/books/{id}/position', {
  ...opds2,
  summary: 'Where you are in a book (Readium progression)',
  description: '204 when you have not begun it.',
  access: 'progress:read',
  params: byId,
  mediaType: opdsTypes.readiumProgression,
  reply: OpdsPosition,
  mayBeEmpty: true,
  errors: ['not_found'],
  example: { reply: exampleOpdsPosition },
})

export const saveOpdsPosition = endpoint('PUT /opds/v2/books/{id}/position', {
  ...opds2,
  summary: 'Say where you are in a book (Readium progression)',
  description: '409 when a later position is known already.',
  access: 'progress:write',
  params: byId,
  body: OpdsPositionUpdate,
  errors: ['not_found', 'conflict'],
  example: { body: exampleOpdsPosition },
})
