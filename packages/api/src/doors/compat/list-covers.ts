import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { record } from '../../schema.ts'
import { choice, cover, exampleCover, picture, upload } from './cover-shapes.ts'
import { byCompatId, Repeated } from './page.ts'
import { compat, exampleId } from './shared.ts'

const CompatCollectionCover = record({ ...cover, collectionId: Type.String() }, { title: 'CompatCollectionThumbnail' })
const CompatReadListCover = record({ ...cover, readListId: Type.String() }, { title: 'CompatReadListThumbnail' })
const ofCollection = { ...exampleCover, type: 'USER_UPLOADED', collectionId: exampleId } as const
const ofReadList = { ...exampleCover, type: 'USER_UPLOADED', readListId: exampleId } as const
const query = Type.Object({
  selected: Type.Optional({ ...Repeated, description: 'False: it is kept, and something else stands for the list.' }),
})

export const listCompatCollectionCovers = endpoint('GET /{prefix}/api/v1/collections/{id}/thumbnails', {
  ...compat,
  summary: 'The covers a collection was given',
  access: 'collections:read',
  params: byCompatId,
  reply: Type.Array(CompatCollectionCover, { maxItems: 1000 }),
  errors: ['not_found'],
  example: { reply: [ofCollection] },
})
export const uploadCompatCollectionCover = endpoint('POST /{prefix}/api/v1/collections/{id}/thumbnails', {
  ...compat,
  ...upload,
  errors: [...upload.errors, 'conflict'],
  summary: 'Give a collection a cover',
  access: 'collections:write',
  query,
  reply: CompatCollectionCover,
  example: { reply: ofCollection },
})
export const readCompatCollectionCover = endpoint('GET /{prefix}/api/v1/collections/{id}/thumbnails/{coverId}', {
  ...compat,
  ...picture,
  summary: 'One of the covers of a collection',
  access: 'collections:read',
})
export const selectCompatCollectionCover = endpoint(
  'PUT /{prefix}/api/v1/collections/{id}/thumbnails/{coverId}/selected',
  { ...compat, ...choice, summary: 'Choose a cover of a collection', access: 'collections:write' },
)
export const deleteCompatCollectionCover = endpoint('DELETE /{prefix}/api/v1/collections/{id}/thumbnails/{coverId}', {
  ...compat,
  ...choice,
  summary: 'Delete a cover of a collection',
  access: 'collections:write',
})

export const listCompatReadListCovers = endpoint('GET /{prefix}/api/v1/readlists/{id}/thumbnails', {
  ...compat,
  summary: 'The covers a read list was given',
  access: 'readlists:read',
  params: byCompatId,
  reply: Type.Array(CompatReadListCover, { maxItems: 1000 }),
  errors: ['not_found'],
  example: { reply: [ofReadList] },
})
export const uploadCompatReadListCover = endpoint('POST /{prefix}/api/v1/readlists/{id}/thumbnails', {
  ...compat,
  ...upload,
  errors: [...upload.errors, 'conflict'],
  summary: 'Give a read list a cover',
  access: 'readlists:write',
  query,
  reply: CompatReadListCover,
  example: { reply: ofReadList },
})
export const readCompatReadListCover = endpoint('GET /{prefix}/api/v1/readlists/{id}/thumbnails/{coverId}', {
  ...compat,
  ...picture,
  summary: 'One of the covers of a read list',
  access: 'readlists:read',
})
export const selectCompatReadListCover = endpoint('PUT /{prefix}/api/v1/readlists/{id}/thumbnails/{coverId}/selected', {
  ...compat,
  ...choice,
  summary: 'Choose a cover of a read list',
  access: 'readlists:write',
})
export const deleteCompatReadListCover = endpoint('DELETE /{prefix}/api/v1/readlists/{id}/thumbnails/{coverId}', {
  ...compat,
  ...choice,
  summary: 'Delete a cover of a read list',
  access: 'readlists:write',
})

export const downloadCompatReadList = endpoint('GET /{prefix}/api/v1/readlists/{id}/file', {
  ...compat,
  summary: 'Download the books of a read list that you may see, in one zip',
  access: 'files:download',
  params: byCompatId,
  mediaType: 'application/zip',
  errors: ['not_found', 'library_unavailable'],
})

export const remakeCompatCovers = endpoint('PUT /{prefix}/api/v1/books/thumbnails', {
  ...compat,
  summary: 'Have the covers of all books made anew',
  access: 'tasks:write',
  query: Type.Object({ for_bigger_result_only: Type.Optional(Repeated) }),
  status: 202,
})
