import { endpoint } from '../../endpoint.ts'
import { compat } from './shared.ts'

export const streamCompatEvents = endpoint('GET /{prefix}/sse/v1/events', {
  ...compat,
  summary: 'What happens, in the words of apps made for Komga',
  access: 'signed-in',
  unlimited: true,
  mediaType: 'text/event-stream',
  errors: ['rate_limit_exceeded'],
})
