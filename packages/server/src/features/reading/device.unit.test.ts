import { expect, test } from 'vitest'
import { deviceFrom, headerText } from './device.ts'

const nothing = { id: undefined, name: undefined, apiKey: undefined, userAgent: null }

test('READ-2 applications are known by what they call themselves', () => {
  const agents: [string, string | null][] = [
    ['KOReader/2026.04 (https://koreader.rocks/) LuaSocket', 'KOReader'],
    ['Komic/1.8.0 (com.example.komic; iOS 18)', 'Komic'],
    ['ChunkyReader/3', 'Chunky'],
    ['Panels/4.2 CFNetwork/1410', 'Panels'],
    ['Paperback-iOS/0.8', 'Paperback'],
    ['Mozilla/5.0 (Linux; Android 14) Moon+ Reader Pro', 'Moon+ Reader'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'Chrome'],
    ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15', 'Safari'],
    ['curl/8.5.0', null],
  ]
  expect(agents.map(([userAgent]) => [userAgent, deviceFrom({ ...nothing, userAgent }).name])).toEqual(agents)
})

test('READ-2 the name of a device can be said without its id, and an empty header says nothing', () => {
  const apiKey = { id: '019aa3b2-6c7e-7000-8000-000000000005', name: 'Kitchen' }
  expect(deviceFrom({ ...nothing, apiKey, name: 'Shelf' })).toEqual({ id: `apikey:${apiKey.id}`, name: 'Shelf' })
  expect(deviceFrom({ ...nothing, apiKey, id: '  ', name: '' })).toEqual({ id: `apikey:${apiKey.id}`, name: 'Kitchen' })
  expect(deviceFrom(nothing)).toEqual({ id: 'unknown', name: null })
})

test('READ-2 what is too long or holds control characters is refused by the name of its header', () => {
  expect(deviceFrom({ ...nothing, id: 'x'.repeat(128) }).id).toHaveLength(128)
  expect(() => deviceFrom({ ...nothing, id: 'x'.repeat(129) })).toThrow('X-Device-Id takes up to 128 characters.')
  expect(() => deviceFrom({ ...nothing, name: 'a\u0000b' })).toThrow('X-Device-Name must not hold control characters.')
})

test('a header in UTF-8 is read as such, and one in Latin-1 as that', () => {
  expect(headerText(Buffer.from('Ünal', 'utf8').toString('latin1'))).toBe('Ünal')
  expect(headerText('Ünal')).toBe('Ünal')
})
