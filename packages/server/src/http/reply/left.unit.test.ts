import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { leftSignal } from './left.ts'

const response = (writableFinished: boolean) =>
  Object.assign(new EventEmitter(), { writableFinished }) as unknown as ServerResponse

test('G1 work for a reply ends when nobody waits for it, and not when it was sent', () => {
  const [left, answered] = [response(false), response(true)]
  const signals = [left, answered].map((raw) => leftSignal({ raw }))
  for (const raw of [left, answered]) raw.emit('close')
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
})
