import { doorEndpoints } from '@carrel/api/doors/all-endpoints'
import { nameOf } from '@carrel/api'
import { expect, test } from 'vitest'
import type { TSchema } from 'typebox'
import { decodeBody } from './decode-body.ts'

/** A body is made from this part of a schema. */
interface SchemaNode {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly SchemaNode[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
  readonly pattern?: string
  readonly items?: SchemaNode
  readonly minLength?: number
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | boolean
}

/** A body that has every field there may be. */
const fill = (schema: SchemaNode): unknown => {
  if (schema.anyOf) return fill(schema.anyOf.find(({ type }) => type !== 'null') ?? {})
  if (schema.enum) return schema.enum[0]
  if ('const' in schema) return schema.const
  switch (String([schema.type].flat()[0])) {
    case 'integer':
      return Math.max(7, schema.minimum ?? 0)
    case 'number':
      return Math.min(Math.max(0.5, schema.minimum ?? 0), schema.maximum ?? 1)
    case 'boolean':
      return true
    case 'array':
      return schema.items ? [fill(schema.items)] : []
    case 'object':
      return { ...fields(schema.properties), ...more(schema.additionalProperties) }
    case 'string':
      return textLike(schema)
    default:
      return { anything: '7' }
  }
}
const fields = (properties: SchemaNode['properties'] = {}) =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, fill(each)]))
const more = (schema: SchemaNode['additionalProperties']) =>
  typeof schema === 'object' ? { '0123456789abcdef0123456789abcdef': fill(schema) } : {}
const textLike = ({ format, minLength = 1 }: SchemaNode): string =>
  format === 'uuid'
    ? '019a5f00-0000-7000-8000-000000000000'
    : format === 'date-time'
      ? '2026-11-21T10:00:00.000Z'
      : '7'.padEnd(minLength, '0')

/** The same with every number and truth value as text. */
const asText = (value: unknown): unknown => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(asText)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asText(each)]))
}

const bodies = doorEndpoints.flatMap((endpoint) => {
  const { body } = endpoint.shape
  return body ? [{ name: nameOf(endpoint), body }] : []
})

test.each(bodies)('C4 $name: every number and truth value may be text', ({ body }) => {
  const filled = fill(body)
  expect(decodeBody(body, asText(filled))).toEqual(filled)
})

test('C4 nonsense stays as it was, and so does what may be text', () => {
  const schema = {
    type: 'object',
    properties: { whole: { type: ['integer', 'null'] }, number: { type: 'number' }, is: { type: 'boolean' } },
  } as unknown as TSchema
  for (const nonsense of ['abc', '1e5', ' 7 ', '0x10', '+7', '1,5', '7.', 'Infinity', 'TRUE', '1_000', '٧']) {
    const body = { whole: nonsense, number: nonsense, is: nonsense }
    expect(decodeBody(schema, body)).toEqual(body)
  }
  expect(decodeBody(schema, { whole: '1.5' })).toEqual({ whole: '1.5' })
  expect(decodeBody(schema, { whole: '', number: '' })).toEqual({ whole: null, number: '' })
  expect(decodeBody(schema, { other: '7' })).toEqual({ other: '7' })
  const either = { anyOf: [{ type: 'string' }, { type: 'number' }] } as unknown as TSchema
  expect(decodeBody(either, '42')).toBe('42')
  expect(decodeBody(schema, 'abc')).toBe('abc')
  expect(decodeBody({ type: 'boolean' }, 'false')).toBe(false)
})
