import { expect, test } from 'vitest'
import { newId } from './ids.ts'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16)
// Ids of one process never go back, and other tests may have moved its clock ahead.
const ahead = (): number => timeOf(newId()) + 1000

test('W17 an id is a UUID of version 7, 36 characters long', () => {
  for (let count = 0; count < 10_000; count += 1) expect(newId()).toMatch(form)
})

test('W17 the time of an id is the time it was made', () => {
  const now = ahead()

  expect(timeOf(newId(now))).toBe(now)
})

test('W17 ids of one process sort in the order they were made, also many in one millisecond', () => {
  const now = ahead()

  const ids = Array.from({ length: 20_000 }, () => newId(now))

  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('W17 ids sort in the order they were made when the clock steps back', () => {
  const now = ahead()

  const ids = [newId(now), newId(now - 60_000), newId(now - 1), newId(now + 1), newId(0)]

  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(form)
})

test('W17 what is chance in an id is not repeated', () => {
  const tails = Array.from({ length: 20_000 }, () => newId().slice(-15))

  expect(new Set(tails).size).toBe(tails.length)
})
