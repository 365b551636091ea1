import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

export const readFoundCover = endpoint('GET /media/found-covers', {
  tag: 'Matching',
  summary: 'The cover of something a plugin has found',
  description:
    'Fetched and made small by this server, for pages that show nothing of other hosts. Its address is the `coverProxyUrl` of a result: it is good for whoever asked, for at least an hour. 404: it is not, or there is no picture at the source.',
  access: 'signed-in',
  query: Type.Object({ picture: Type.String({ minLength: 1, maxLength: 4000 }) }),
  mediaType: 'image/*',
  errors: ['not_found'],
  unlimited: true,
})
