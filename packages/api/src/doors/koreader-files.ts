import { Type } from 'typebox'
import { endpoint, mainSchemes } from '../endpoint.ts'

const shared = { tag: 'KOReader', door: 'koreader', schemes: [...mainSchemes, 'basic', 'digest'] } as const
const byPath = Type.Object({ path: Type.String({ minLength: 1, maxLength: 255 }) })

export const koreaderFileBytesMax = 24 * 1024 * 1024

const about = [
  'A small WebDAV folder for what KOReader keeps in a cloud: its reading statistics above all, which are read as soon as',
  'they have come.',
].join(' ')

export const listKoreaderFolder = endpoint('PROPFIND /koreader/webdav', {
  ...shared,
  summary: 'What is in the folder',
  description: about,
  access: 'progress:read',
  mediaType: 'application/xml',
  status: 207,
})

export const listKoreaderPath = endpoint('PROPFIND /koreader/webdav/{path}', {
  ...shared,
  summary: 'A file, or what is in a folder',
  access: 'progress:read',
  params: byPath,
  mediaType: 'application/xml',
  status: 207,
  errors: ['not_found'],
})

export const makeKoreaderFolder = endpoint('MKCOL /koreader/webdav/{path}', {
  ...shared,
  summary: 'Make a folder',
  access: 'progress:write',
  params: byPath,
  status: 201,
  errors: ['already_exists', 'conflict'],
})

export const readKoreaderFile = endpoint('GET /koreader/webdav/{path}', {
  ...shared,
  summary: 'A file of KOReader',
  access: 'progress:read',
  params: byPath,
  mediaType: 'application/octet-stream',
  errors: ['not_found'],
})

export const saveKoreaderFile = endpoint('PUT /koreader/webdav/{path}', {
  ...shared,
  summary: 'Keep a file of KOReader',
  description: `${about} 201 where it is new, else 204; 412 where \`If-Match\` names another state than the one that is here.`,
  access: 'progress:write',
  params: byPath,
  upload: { description: 'The file.', maybeJson: true },
  bodyBytesMax: koreaderFileBytesMax,
  status: 201,
  mayBeEmpty: true,
  errors: ['conflict', 'precondition_failed'],
})

export const deleteKoreaderFile = endpoint('DELETE /koreader/webdav/{path}', {
  ...shared,
  summary: 'Remove a file of KOReader, or a folder with what is in it',
  access: 'progress:write',
  params: byPath,
  errors: ['not_found'],
})
