import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { record } from '../../schema.ts'

const shared = { tag: 'Compatibility API', door: 'compat' } as const

export const readCompatClaim = endpoint('GET /{prefix}/api/v1/claim', {
  ...shared,
  summary: 'Whether the server has users already',
  access: 'open',
  reply: record({ isClaimed: Type.Boolean() }),
  example: { reply: { isClaimed: true } },
})
