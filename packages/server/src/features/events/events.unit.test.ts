import { expect, test } from 'vitest'
import { streamPlaces } from './events.ts'

test('EVT-3 P-16 where all places for streams are taken another one is told to come back, and gets in when one has left', () => {
  const places = streamPlaces(3)
  const leave = places.take('ana')
  places.take('ana')
  places.take('ben')

  expect(() => places.take('cem')).toThrow(expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 30 }))
  leave()
  places.take('cem')
  expect(() => places.take('ben')).toThrow(expect.objectContaining({ code: 'unavailable' }))
})

test('EVT-3 P-16 a user who has twenty streams is told so whatever room there is, and others get in', () => {
  const places = streamPlaces()
  for (let count = 0; count < 20; count += 1) places.take('ana')

  expect(() => places.take('ana')).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }))
  expect(() => places.take('ben')).not.toThrow()
})
