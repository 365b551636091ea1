import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorCodes, errorLine, errorNameOf, readMessage, requestLine, resultLine } from './rpc.ts'

test('a request, a result and an error are read as they were written', () => {
  expect(readMessage(requestLine({ id: 7, method: 'ping' }))).toEqual({
    kind: 'request',
    id: 7,
    method: 'ping',
    params: undefined,
  })
  expect(
    readMessage(requestLine({ id: 's1', method: 'storage/get', params: { key: 'a' }, parentRequestId: 7 })),
  ).toEqual({ kind: 'request', id: 's1', method: 'storage/get', params: { key: 'a' }, parentRequestId: 7 })
  expect(readMessage(resultLine(7, undefined))).toEqual({ kind: 'result', id: 7, result: null })
  expect(readMessage(errorLine(undefined, { code: errorCodes.parse_error, message: 'What?' }))).toEqual({
    kind: 'error',
    id: undefined,
    error: { code: -32_700, message: 'What?' },
  })
})

test.each([
  ['broken JSON', '{"jsonrpc":', 'parse_error'],
  ['a text', '"ping"', 'invalid_request'],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 'invalid_request'],
  ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 'invalid_request'],
  ['no version', '{"id":1,"method":"ping"}', 'invalid_request'],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 'invalid_request'],
  ['an id with a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 'invalid_request'],
  ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":5}', 'invalid_request'],
  ['neither request nor reply', '{"jsonrpc":"2.0","id":1}', 'invalid_request'],
  ['an error without a code', '{"jsonrpc":"2.0","id":1,"error":{"message":"no"}}', 'invalid_request'],
  ['a result for nobody', '{"jsonrpc":"2.0","result":1}', 'invalid_request'],
])('%s is unreadable, and says why', (_, line, code) => {
  expect(readMessage(line)).toMatchObject({ kind: 'unreadable', code, why: expect.stringMatching(/\.$/) as string })
})

test('a request without an id is a notification; an error beside a result is an error', () => {
  expect(readMessage('{"jsonrpc":"2.0","method":"log","params":[1]}')).toEqual({
    kind: 'notification',
    method: 'log',
    params: [1],
  })
  expect(readMessage('{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":-32002,"message":"Gone"}}')).toMatchObject({
    kind: 'error',
    id: 1,
  })
  expect(readMessage('{"jsonrpc":"2.0","id":1,"result":null,"error":null}')).toEqual({
    kind: 'result',
    id: 1,
    result: null,
  })
})

test('no line makes it throw, and what is written is one line', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((json) => `{"jsonrpc":"2.0","id":1,"method":${json}}`),
      ),
      (line) => {
        expect(readMessage(line).kind).toBeTypeOf('string')
      },
    ),
  )
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (method, params) => {
      const line = requestLine({ id: 1, method, params })
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(readMessage(line)).toMatchObject({ method, params: JSON.parse(JSON.stringify(params)) as unknown })
    }),
  )
})

test('a line is one line to everybody who reads lines', () => {
  const line = requestLine({ id: 1, method: 'metadata/series/search', params: { query: 'a\u2028b\u2029c\r\nd' } })
  expect(line.trimEnd().split(/[\r\n\u2028\u2029]/)).toHaveLength(1)
  expect(readMessage(line)).toMatchObject({ params: { query: 'a\u2028b\u2029c\r\nd' } })
})

test('codes have names', () => {
  expect(errorNameOf(-32_001)).toBe('rate_limited')
  expect(errorNameOf(-1)).toBeUndefined()
})
