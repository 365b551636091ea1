import { readFileSync } from 'node:fs'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { expect, test } from 'vitest'
import { bodyBytesMax } from '../src/http/input/body.ts'

const pageOf = (name: string): string =>
  readFileSync(new URL(`../../../docs/operators/${name}`, import.meta.url), 'utf8')
const mebibyte = 1024 * 1024
const largest = Math.max(bodyBytesMax, ...allEndpoints.map(({ shape }) => shape.bodyBytesMax ?? 0))

test('C14 the documented nginx lets through every body that the server takes, so that the server is who refuses one', () => {
  const [example = ''] = /```nginx\n.*?```/s.exec(pageOf('reverse-proxy.md')) ?? []
  // What nginx takes when nothing is said, which is 1 MiB.
  const said = Number(/^ {4}client_max_body_size (\d+)m;$/m.exec(example)?.[1] ?? 1)

  expect(said * mebibyte).toBeGreaterThanOrEqual(largest)
})

test.each(['reverse-proxy.md', 'security.md'])('C14 %s says how large a body may be', (name) => {
  const text = pageOf(name).replaceAll('\n', ' ')

  expect(text).toContain(`${bodyBytesMax / mebibyte} MiB a body`)
  expect(text).toContain(`up to ${largest / mebibyte} MiB`)
})
