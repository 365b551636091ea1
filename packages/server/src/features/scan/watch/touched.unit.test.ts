import { expect, test } from 'vitest'
import { covers, foldersMax, Touched, usualPatience } from './touched.ts'

const { quietMs, longestWaitMs } = usualPatience

test('a folder is due once it has been quiet for a while', () => {
  const touched = new Touched(usualPatience)
  touched.note('/a', 0)
  touched.note('/a', 1000)

  expect(touched.due(quietMs)).toBeUndefined()
  expect(touched.due(1000 + quietMs)).toEqual(['/a'])
})

test('a folder in which it goes on is due in the end', () => {
  const touched = new Touched(usualPatience)
  for (let at = 0; at < longestWaitMs; at += 1000) touched.note('/a', at)
  touched.note('/b', longestWaitMs - 1)

  expect(touched.due(longestWaitMs - 1)).toBeUndefined()
  expect(touched.due(longestWaitMs)).toEqual(['/a'])
})

test('what is due is due together, and the rest later', () => {
  const touched = new Touched(usualPatience)
  touched.note('/a', 0)
  touched.note('/b', 10)
  touched.note('/c', quietMs)

  expect(touched.due(quietMs + 10)).toEqual(['/a', '/b'])
  touched.settle(['/a', '/b'], quietMs + 10)
  expect(touched.due(quietMs + 10)).toBeUndefined()
  expect(touched.due(2 * quietMs)).toEqual(['/c'])
  touched.settle(['/c'], 2 * quietMs)
  expect(touched.isEmpty).toBe(true)
})

test('what is touched while a look is asked for is looked at again', () => {
  const touched = new Touched(usualPatience)
  touched.note('/a', 0)
  touched.note('/a', quietMs + 5)
  touched.settle(['/a'], quietMs)

  expect(touched.due(2 * quietMs + 5)).toEqual(['/a'])
})

test('more folders than can be told apart are all of the library', () => {
  const touched = new Touched(usualPatience)
  for (let index = 0; index <= foldersMax; index += 1) touched.note(`/${index}`, index)
  touched.note('/more', 200)

  expect(touched.due(100 + quietMs)).toBeUndefined()
  expect(touched.due(200 + quietMs)).toEqual([])
  touched.settle([], 201 + quietMs)
  expect(touched.isEmpty).toBe(true)
  touched.note('/one', 0)
  expect(touched.due(quietMs)).toEqual(['/one'])
})

test('a look at a folder is a look at those below it, and one at everything at all', () => {
  expect(covers([], ['/a'])).toBe(true)
  expect(covers([], [])).toBe(true)
  expect(covers(['/a', '/b'], ['/a/c', '/b'])).toBe(true)
  expect(covers(['/a'], ['/ab'])).toBe(false)
  expect(covers(['/a'], ['/a', '/b'])).toBe(false)
  expect(covers(['/a'], [])).toBe(false)
})
