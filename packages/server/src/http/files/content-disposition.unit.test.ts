import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentDisposition } from './content-disposition.ts'

test('LIB-8 a name comes as every client reads it, and as it is', () => {
  expect(contentDisposition('attachment', 'Akira 01.cbz')).toBe('attachment; filename="Akira 01.cbz"')
  expect(contentDisposition('attachment', '鋼 "1"%20.cbz')).toBe(
    `attachment; filename="_ _1__20.cbz"; filename*=UTF-8''%E9%8B%BC%20%221%22%2520.cbz`,
  )
  expect(contentDisposition('inline')).toBe('inline')
})

test('LIB-8 no name breaks the header or leads out of a folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const header = contentDisposition('attachment', name)
      expect(header).toMatch(
        /^attachment; filename="[\x20\x21\x23-\x5b\x5d-\x7e]*"(?:; filename\*=UTF-8''[\w.!~%-]*)?$/,
      )
      expect(decodeURIComponent(header)).not.toMatch(/[/\\\r\n\0]/)
    }),
  )
})
