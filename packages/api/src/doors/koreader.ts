import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { record } from '../schema.ts'

const shared = { tag: 'KOReader', door: 'koreader' } as const

export const readKoreaderHealth = endpoint('GET /koreader/healthcheck', {
  ...shared,
  summary: 'Whether KOReader can sync here',
  access: 'open',
  reply: record({ state: Type.Literal('OK') }),
  example: { reply: { state: 'OK' } },
})
