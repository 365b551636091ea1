import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { mediaLane } from './media-lane.ts'

const response = (): ServerResponse => new EventEmitter() as ServerResponse

test('W4 64 pictures at once and no more, for each user', () => {
  const lane = mediaLane(() => 0)
  const open = Array.from({ length: 64 }, response)
  for (const each of open) lane.enter('ana', each)
  expect(() => lane.enter('ana', response())).toThrow('Too many pictures at once')
  lane.enter('ben', response())
  open[0]?.emit('close')
  lane.enter('ana', response())
  expect(() => lane.enter('ana', response())).toThrow('Too many pictures at once')
})

test('W4 1,000 pictures a second and no more, for each user', () => {
  let now = 5000
  const lane = mediaLane(() => now)
  const ask = () => {
    const each = response()
    lane.enter('ana', each)
    each.emit('close')
  }
  for (let time = 0; time < 1000; time += 1) ask()
  now = 5999
  expect(ask).toThrow('Too many pictures at once')
  now = 6000
  ask()
})

test('W4 one who has left already holds no place', () => {
  const lane = mediaLane(() => 0)
  const left = Object.assign(response(), { destroyed: true })
  for (let time = 0; time < 64; time += 1) expect(() => lane.enter('ana', left)).toThrow('Nobody waits')
  lane.enter('ana', response())
})
