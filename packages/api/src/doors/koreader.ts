import { type Static, Type } from 'typebox'
import { endpoint, mainSchemes } from '../endpoint.ts'
import { record } from '../schema.ts'

const shared = { tag: 'KOReader', door: 'koreader', schemes: [...mainSchemes, 'basic', 'digest'] } as const

const signInWords = [
  'Sign in with an API key as `x-auth-user`; or with your user name there and, as `x-auth-key`, the MD5 of an API key in',
  'hex, which is what KOReader makes of a key typed as the password. Basic is taken too.',
].join(' ')

/** KOReader's digest of a document: of its bytes, or of its file name. */
const Document = Type.String({ minLength: 1, maxLength: 128 })
const textMax = 4096

export const readKoreaderHealth = endpoint('GET /koreader/healthcheck', {
  ...shared,
  summary: 'Whether KOReader can sync here',
  access: 'open',
  reply: record({ state: Type.Literal('OK') }),
  example: { reply: { state: 'OK' } },
})

export const createKoreaderUser = endpoint('POST /koreader/users/create', {
  ...shared,
  summary: 'Refused: users of this server are not created by KOReader',
  access: 'open',
  reply: record({ code: Type.Integer(), message: Type.String() }, { title: 'KoreaderRefusal' }),
  status: 402,
  example: {
    reply: { code: 2005, message: 'Users are not created here. Sign in with your user name and an API key.' },
  },
})

export const authoriseKoreader = endpoint('GET /koreader/users/auth', {
  ...shared,
  summary: 'Whether KOReader is signed in',
  description: signInWords,
  access: 'signed-in',
  reply: record({ authorized: Type.Literal('OK') }),
  example: { reply: { authorized: 'OK' } },
})

const Metadata = Type.Object(
  {
    filename: Type.Optional(Type.String({ maxLength: 1024 })),
    title: Type.Optional(Type.String({ maxLength: 1024 })),
    authors: Type.Optional(Type.String({ maxLength: 1024 })),
  },
  { title: 'KoreaderMetadata' },
)

const Position = Type.Object(
  {
    document: Document,
    progress: Type.Unsafe<string | number>({
      anyOf: [{ type: 'string', maxLength: textMax }, { type: 'number' }],
      description: 'The number of a page, or an xpointer of a book that flows.',
    }),
    percentage: Type.Number({ minimum: 0, maximum: 1.001, description: 'What is a little above 1 counts as 1.' }),
    device: Type.Optional(Type.String({ maxLength: 256 })),
    device_id: Type.Optional(Type.String({ maxLength: 256 })),
    metadata: Type.Optional(Metadata),
  },
  { title: 'KoreaderPosition' },
)
export type KoreaderPosition = Static<typeof Position>

export const saveKoreaderPosition = endpoint('PUT /koreader/syncs/progress', {
  ...shared,
  summary: 'Say where you are in a document',
  description: `${signInWords} A document no book is known by yet is kept, and counts once there is one.`,
  access: 'progress:write',
  body: Position,
  reply: record({ document: Document, timestamp: Type.Integer() }, { title: 'KoreaderSaved' }),
  example: {
    body: {
      document: '0b229176d4e8db7f6d2b5a4952368d7a',
      progress: '42',
      percentage: 0.21,
      device: 'PocketBook',
      device_id: 'A1B2C3',
    },
    reply: { document: '0b229176d4e8db7f6d2b5a4952368d7a', timestamp: 1795255200 },
  },
})

const StoredPosition = record(
  {
    document: Type.Optional(Document),
    progress: Type.Optional(Type.String({ maxLength: textMax })),
    percentage: Type.Optional(Type.Number()),
    device: Type.Optional(Type.String()),
    device_id: Type.Optional(Type.String()),
    timestamp: Type.Optional(Type.Integer({ description: 'In seconds.' })),
  },
  { title: 'KoreaderStoredPosition', description: 'All of it, or nothing where nothing is known.' },
)
export type KoreaderStoredPosition = Static<typeof StoredPosition>

export const readKoreaderPosition = endpoint('GET /koreader/syncs/progress/{document}', {
  ...shared,
  summary: 'Where you are in a document, whatever you read it with',
  description: signInWords,
  access: 'progress:read',
  params: Type.Object({ document: Document }),
  reply: StoredPosition,
  example: {
    reply: {
      document: '0b229176d4e8db7f6d2b5a4952368d7a',
      progress: '42',
      percentage: 0.21,
      device: 'Firefox',
      device_id: 'ua:0a1b2c3d4e5f6071',
      timestamp: 1795255200,
    },
  },
})
