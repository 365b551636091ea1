import * as api from '@carrel/api'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { serialise } from '../../src/http/reply/reply-schema.ts'
import { mismatch } from '../../src/http/input/validate.ts'

test('HTTP-7 every body and every reply of one record has an example, and each fits its schema', () => {
  const wrong = allEndpoints.flatMap((endpoint) => {
    const { shape, isList } = endpoint
    const name = api.nameOf(endpoint)
    const problems: string[] = []
    if (shape.body) problems.push(mismatch(shape.body, shape.example?.body) ?? '')
    if (shape.reply && !isList) problems.push(mismatch(shape.reply, shape.example?.reply) ?? '')
    return problems.filter((problem) => problem !== '').map((problem) => `${name}: ${problem}`)
  })

  expect(wrong).toEqual([])
})

test('HTTP-7 writing a reply by its schema loses nothing of the example', () => {
  for (const { shape, isList } of allEndpoints.filter(({ shape }) => shape.reply !== undefined)) {
    if (isList || !shape.reply) continue
    expect(JSON.parse(serialise(shape.reply, shape.example?.reply))).toEqual(shape.example?.reply)
  }
})

test('HTTP-7 every schema is one: the server takes that as given, and checks none when it is first used', () => {
  const ajv = new Ajv({ allowUnionTypes: true })
  const wrong = allEndpoints.flatMap((endpoint) => {
    const { params, query, body, reply } = endpoint.shape
    return [params, query, body, reply]
      .filter((schema) => schema !== undefined && !ajv.validateSchema(schema))
      .map(() => `${api.nameOf(endpoint)}: ${ajv.errorsText()}`)
  })

  expect(wrong).toEqual([])
})

test('HTTP-2 every error an endpoint names is a code of the table, and each endpoint may fail', () => {
  for (const endpoint of allEndpoints) {
    const codes = [...api.errorsOf(endpoint)]
    expect(codes).toContain('internal_error')
    expect(codes.filter((code) => !(code in api.errorTable))).toEqual([])
  }
})

test('C4 every permission that guards a route is one of the permissions', () => {
  const guards = allEndpoints
    .map(({ shape }) => shape.access)
    .filter((access) => !['open', 'optional', 'signed-in'].includes(access))

  expect(guards.filter((access) => !api.permissions.some((permission) => permission === access))).toEqual([])
})
