import { endpoint, mainSchemes } from '../../endpoint.ts'

const shared = { tag: 'OPDS 1.2', door: 'opds', schemes: [...mainSchemes, 'basic'] } as const

export const readOpdsCatalog = endpoint('GET /opds/v1/catalog', {
  ...shared,
  summary: 'Where an OPDS app begins',
  access: 'series:read',
  mediaType: 'application/atom+xml;profile=opds-catalog;kind=navigation',
})
