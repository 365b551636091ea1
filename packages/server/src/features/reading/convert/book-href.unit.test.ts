import { expect, test } from 'vitest'
import { bookHref, fileInHref, pageInHref } from './book-href.ts'

const id = '019aa3b2-6c7e-7000-8000-000000000040'

test('the address of a part at any door is that of the manifest, with its host or without', () => {
  const inManifest = 'resources/OEBPS/one%20two.xhtml#p3'
  expect(bookHref(`/opds/v2/books/${id}/${inManifest}`)).toBe(inManifest)
  expect(
    bookHref(
      `https://books.example/lib/komga/api/v1/books/${id.replaceAll('-', '')}/resource/OEBPS/one%20two.xhtml#p3`,
    ),
  ).toBe(inManifest)
  expect(bookHref(`/opds/v2/books/${id}/pages/23?v=1`)).toBe('pages/23')
  const within = `resources/a/books/${id}/resources/c.xhtml`
  for (const href of ['', '#page=15', 'OEBPS/1.xhtml', inManifest, within, 'books/of/resources/c.xhtml'])
    expect(bookHref(href)).toBe(href)
})

test('an address names a page, or a file, or neither', () => {
  expect(['pages/23', `/opds/v2/books/${id}/pages/23`, 'x.pdf#page=23', '#page=23'].map(pageInHref)).toEqual([
    23, 23, 23, 23,
  ])
  expect(['', 'pages/0', 'pages/a', 'resources/pages/3', '#p3'].map(pageInHref)).toEqual(Array.from({ length: 5 }))
  expect(['/OEBPS/a%20b.xhtml#p3', 'resources/OEBPS/a b.xhtml?x'].map(fileInHref)).toEqual(
    Array.from({ length: 2 }, () => 'OEBPS/a b.xhtml'),
  )
  expect(['pages/23', '#page=15', '', '#p3'].map(fileInHref)).toEqual(['', '', '', ''])
  expect(fileInHref('100%.xhtml')).toBe('100%.xhtml')
})
