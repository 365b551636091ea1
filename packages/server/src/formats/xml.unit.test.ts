import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileXml, typicalComicInfo } from '../../test/books/metadata.ts'
import { BookFault } from './book-format.ts'
import { bookLimits } from './limits.ts'
import { child, childrenNamed, descendantsNamed, parseXml, textOf, type XmlLimits } from './xml.ts'

const parse = (xml: string, limits?: Partial<XmlLimits>) => parseXml(Buffer.from(xml), limits)

const faultOf = (parse: () => unknown): string => {
  try {
    parse()
  } catch (error) {
    if (error instanceof BookFault) return error.code
    throw error
  }
  return 'none'
}

test('an element has its local name, its attributes, its children and all text inside', () => {
  const root = parse(
    '<p:a xmlns:p="urn:x" p:role="aut" role="own" xml:lang="de">one<b>two<c>three</c></b><!-- no --><![CDATA[<4>]]><b/></p:a>',
  )

  expect(root.name).toBe('a')
  expect({ ...root.attributes }).toEqual({ role: 'own', lang: 'de' })
  expect(root.text).toBe('onetwothree<4>')
  expect(childrenNamed(root, 'b').map(({ text }) => text)).toEqual(['twothree', ''])
  expect(textOf(root, 'b')).toBe('twothree')
  expect(textOf(root, 'x')).toBeUndefined()
  expect(child(root, 'c')).toBeUndefined()
  expect(descendantsNamed(root, 'c').map(({ text }) => text)).toEqual(['three'])
})

test('a prefix that nobody has declared, and names that objects have anyway, are names like others', () => {
  const root = parse('<a opf:role="x" __proto__="y" constructor="z"><dc:title>T</dc:title><__proto__>p</__proto__></a>')

  expect(textOf(root, 'title')).toBe('T')
  expect(root.attributes.role).toBe('x')
  expect(root.attributes['__proto__']).toBe('y')
  expect(root.attributes['toString']).toBeUndefined()
  expect(textOf(root, '__proto__')).toBe('p')
})

test('the types of document that books have are let through', () => {
  for (const doctype of [
    '<!DOCTYPE html>',
    '<!doctype html>'.toUpperCase(),
    '<!DOCTYPE html SYSTEM "about:legacy-compat">',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN"\n "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">',
    `<!DOCTYPE ncx PUBLIC '-//NISO//DTD ncx 2005-1//EN' 'http://www.daisy.org/z3986/2005/ncx-2005-1.dtd'>`,
    '<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "http://openebook.org/dtds/oeb-1.2/oebpkg12.dtd">',
  ]) {
    expect(parse(`<?xml version="1.0"?>${doctype}<html>x</html>`).text).toBe('x')
  }
})

test('the characters HTML has names for are known, all others are what is written', () => {
  expect(parse('<a>a&nbsp;b &eacute;&Omega;&euro;&hearts; &lt;&amp;&gt;&quot;&apos;</a>').text).toBe(
    'a\u00a0b éΩ€♥ <&>"\'',
  )
  expect(parse('<a b="&copy; 1 &foo;">&foo; &#233;&#xe9;&#x1F600;</a>')).toMatchObject({
    attributes: { b: '© 1 &foo;' },
    text: '&foo; éé😀',
  })
})

test('small sins are forgiven', () => {
  expect(parse('\n  <?xml version="1.0"?><a>Tom & Jerry &c; AT&T &</a>').text).toBe('Tom & Jerry &c; AT&T &')
  expect(parse('<a><![CDATA[a & b &amp; <c>]]> & <![CDATA[&]]></a>').text).toBe('a & b &amp; <c> & &')
  expect(parse('<a>\u0000x\u0001\u001b[31mred\u001b[0m&#0;&#8;&#xD800;&#xFFFFFF;\uffff</a>').text).toBe('xred')
})

test('what stands in no encoding it declares is read all the same', () => {
  const declared = (encoding: string, title: number[] | string): Buffer =>
    Buffer.concat([
      Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>\n<a>`),
      Buffer.from(title as string),
      Buffer.from('</a>'),
    ])
  const latin = [0x5a, 0x6f, 0xeb, 0x20, 0x96, 0x20, 0x80]
  const japanese = [0x83, 0x69, 0x83, 0x8b, 0x83, 0x67]

  expect(parseXml(declared('windows-1252', latin)).text).toBe('Zoë – €')
  expect(parseXml(declared('ISO-8859-1', latin)).text).toBe('Zoë – €')
  expect(parseXml(declared('Shift_JIS', japanese)).text).toBe('ナルト')
  expect(parseXml(declared('EUC-JP', [0xa5, 0xca])).text).toBe('ナ')
  // Wrongly declared.
  expect(parseXml(declared('utf-8', latin)).text).toBe('Zoë – €')
  expect(parseXml(declared('Shift_JIS', 'Zoë ナルト')).text).toBe('Zoë ナルト')
  expect(parseXml(declared('utf-16', 'Zoë')).text).toBe('Zoë')
  expect(parseXml(declared('utf-16', latin)).text).toBe('Zoë – €')
  expect(parseXml(declared('utf-7', '+ADw-x')).text).toBe('+ADw-x')
  expect(parseXml(declared('no-such-thing', latin)).text).toBe('Zoë – €')
  expect(parseXml(declared('euc-jp', [0xeb, 0x20])).text).toBe('ë ')
})

test('UTF-8 and UTF-16 are known by their mark, and UTF-16 without one by its zeros', () => {
  const xml = '<?xml version="1.0" encoding="utf-16"?><a>Zoë ナルト</a>'
  const little = Buffer.from(xml, 'utf16le')
  const big = Buffer.from(little).swap16()

  for (const bytes of [
    Buffer.from(`\ufeff${xml}`),
    little,
    big,
    Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
    Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
  ]) {
    expect(parseXml(bytes).text).toBe('Zoë ナルト')
  }
})

test.each(hostileXml())('%s is refused, and nothing is fetched or unfolded', (_, xml) => {
  expect(Buffer.byteLength(xml)).toBeLessThanOrEqual(bookLimits.xmlBytes)
  for (const bytes of [Buffer.from(xml), Buffer.from(`\ufeff${xml.slice(0, 1_000_000)}`, 'utf16le')]) {
    expect(faultOf(() => parseXml(bytes))).toMatch(/^(?:damaged|limit)$/)
  }
})

test('XInclude is an element like others', () => {
  const xml = '<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/passwd" parse="text"/></a>'

  expect(parse(xml).text).toBe('')
})

test('a limit lets through what is at it and refuses what is above', () => {
  const ofBytes = (count: number) => () => parse(`<a>${'x'.repeat(count - 7)}</a>`)
  const ofDepth = (depth: number) => () => parse('<a>'.repeat(depth) + '</a>'.repeat(depth))
  const ofNodes = (count: number) => () => parse(`<a>${'<b/>'.repeat(count - 1)}</a>`)
  const ofReferences = (count: number) => () => parse(`<a>${'&#65;'.repeat(count)}</a>`)
  const ofAttributes = (count: number) => () =>
    parse(`<a ${Array.from({ length: count }, (_, index) => `b${index}=""`).join(' ')}/>`)

  for (const [of, limit] of [
    [ofBytes, bookLimits.xmlBytes],
    [ofDepth, bookLimits.xmlDepth],
    [ofNodes, bookLimits.xmlNodes],
    [ofReferences, bookLimits.xmlNodes],
    [ofAttributes, 256],
  ] as const) {
    expect([limit, faultOf(of(limit))]).toEqual([limit, 'none'])
    expect([limit, faultOf(of(limit + 1))]).toEqual([limit, 'limit'])
  }
})

test('a caller may set other limits', () => {
  expect(faultOf(() => parse('<a><b/></a>', { depth: 1 }))).toBe('limit')
  expect(faultOf(() => parse('<a><b/></a>', { nodes: 1 }))).toBe('limit')
  expect(faultOf(() => parse('<a b="" c="" d=""/>', { nodes: 1 }))).toBe('limit')
  expect(faultOf(() => parse('<a b="" c=""/>', { nodes: 1 }))).toBe('none')
  expect(faultOf(() => parse('<a><b/></a>', { bytes: 10 }))).toBe('limit')
  expect(faultOf(() => parse('<a><b/></a>', { bytes: 11, depth: 2, nodes: 2 }))).toBe('none')
})

test('a character of two halves survives where the text is cut for reading', () => {
  const text = '😀'.repeat(40_000)

  expect(parse(`<a>${text}</a>`).text).toBe(text)
  expect(parse(`<ab>${text}</ab>`).text).toBe(text)
})

test('whatever the bytes are, there is a tree or a fault that says so', () => {
  const depthOf = (element: ReturnType<typeof parse>): number => 1 + Math.max(0, ...element.children.map(depthOf))
  const pieces = fc.constantFrom('<a>', '</a>', '<b c="', '"', '>', '<![CDATA[', ']]>', '<!--', '&', ';', '<?xml', '\0')
  const xmlLike = fc
    .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 60 })
    .map((parts) => Buffer.from(parts.join('')))

  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), xmlLike), (bytes) => {
      const fault = faultOf(() => expect(depthOf(parseXml(Buffer.from(bytes)))).toBeLessThanOrEqual(64))
      expect(['none', 'damaged', 'limit']).toContain(fault)
    }),
    { numRuns: 3000 },
  )
})

test('a real file with any of its bytes changed or cut is a tree or a fault', () => {
  const bytes = Buffer.from(typicalComicInfo())
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.boolean(), (position, byte, cut) => {
      const broken = Buffer.from(cut ? bytes.subarray(0, position) : bytes)
      if (!cut) broken[position] = byte
      expect(['none', 'damaged', 'limit']).toContain(faultOf(() => parseXml(broken)))
    }),
    { numRuns: 500 },
  )
})
