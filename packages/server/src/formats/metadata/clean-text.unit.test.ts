import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { textLimits } from '../limits.ts'
import {
  cleanDate,
  cleanDateText,
  cleanInteger,
  cleanIsbn,
  cleanLanguage,
  cleanLine,
  cleanList,
  cleanName,
  cleanNumber,
  cleanSummary,
  cleanUrl,
  splitList,
} from './clean-text.ts'

test('a line is trimmed, composed and has single spaces', () => {
  expect(cleanLine('  E\u0301lodie\r\n\t and\u2028\u0085 \u3000Zoe\u0308  ')).toBe('Élodie and Zoë')
  expect(cleanLine(' \n ')).toBeUndefined()
  expect(cleanLine(undefined)).toBeUndefined()
})

test('nothing is left that turns, hides, colours or breaks', () => {
  expect(cleanLine('a\u0000b\u0007c\u007fd\u009be')).toBe('abcde')
  expect(cleanLine('\u202egpj.exe\u202c \u2066x\u2069')).toBe('gpj.exe x')
  expect(cleanLine('\u001b[1;31mred\u001b[0m \u001b]0;title\u0007x \u001b]8;;http://a\u001b\\y')).toBe('red x y')
  expect(cleanLine('a\ud800b\udc00c \ud83d')).toBe('abc')
  expect(cleanLine('Na\u200bru\ufeffto\u00ad')).toBe('Naruto')
  expect(cleanLine('\u200b\u2060')).toBeUndefined()
  // Persian and the families of emoji need them.
  expect(cleanLine('می\u200cخواهم 👩\u200d👧')).toBe('می\u200cخواهم 👩\u200d👧')
  expect(cleanLine('=cmd()|x')).toBe('=cmd()|x')
})

test('no text is longer than it may be, and no character is cut in half', () => {
  expect(cleanLine('x'.repeat(textLimits.title))).toHaveLength(textLimits.title)
  expect(cleanLine('x'.repeat(10_000_000))).toHaveLength(textLimits.title)
  expect(cleanName('x'.repeat(1000))).toHaveLength(textLimits.name)
  expect(cleanSummary('x '.repeat(1_000_000))?.length).toBeLessThanOrEqual(textLimits.summary)
  expect(cleanSummary('x'.repeat(1_000_000))).toHaveLength(textLimits.summary)
  expect(cleanLine(`${'x'.repeat(textLimits.title - 1)}😀`)).toBe('x'.repeat(textLimits.title - 1))
})

test('a summary keeps its paragraphs and loses its HTML', () => {
  const html =
    '<!-- <p>no</p> --><style type="text/css">p {}</style><SCRIPT>alert(1)</SCRIPT><div class="a">\n<p>First <b>bold</b>,\n<i>thin</i>&nbsp;&amp; more<br/>a line</p><p>&#8220;Second&#x201D;</p><ul><li>one</li><li>two</li></ul></div>'

  expect(cleanSummary(html)).toBe('First bold, thin & more\na line\n\n“Second”\n\n- one\n- two')
  expect(cleanSummary('One.\r\n\r\n\r\n\r\nTwo  <i>three</i>.\rFour ')).toBe('One.\n\nTwo three.\nFour')
  expect(cleanSummary('&lt;p&gt;Twice&lt;/p&gt;&lt;p&gt;escaped&amp;hellip;&lt;/p&gt;')).toBe('Twice\n\nescaped…')
  expect(cleanSummary('<p></p><br>')).toBeUndefined()
})

test('what is not HTML stays in a summary as it is written', () => {
  expect(cleanSummary('1 < 2 > 0 & <3, the <Sword of Kings>, AT&T &foo;')).toBe(
    '1 < 2 > 0 & <3, the <Sword of Kings>, AT&T &foo;',
  )
  expect(cleanSummary('unfinished <p and <script>alert(1)')).toBe('unfinished <p and alert(1)')
})

test('lists hold each name once, whatever its case, and no more than they may', () => {
  expect(cleanList([' Manga', 'MANGA', 'ｍａｎｇａ', undefined, '', 'Café', 'cafe\u0301'])).toEqual(['Manga', 'Café'])
  const many = Array.from({ length: 200_000 }, (_, index) => `tag ${index}`)
  expect(cleanList(many)).toHaveLength(textLimits.listLength)
  expect(cleanList(splitList(many.join(',')))).toHaveLength(textLimits.listLength)
})

test('one text of several names is split, but not before what belongs to a name', () => {
  expect(splitList('A, B;C、D，E').map((each) => each.trim())).toEqual(['A', 'B', 'C', 'D', 'E'])
  expect(cleanList(splitList('Robert Downey, Jr., Ann Ray , PhD,, Bo'))).toEqual([
    'Robert Downey, Jr.',
    'Ann Ray, PhD',
    'Bo',
  ])
  expect(splitList(undefined)).toEqual([])
  expect(splitList(' , ;')).toEqual([])
})

test('a number is finite, whole where it must be, and in its range', () => {
  const range = { min: 0, max: 5 }

  expect(['0', ' 5 ', '4,35', '2.50', '+1'].map((text) => cleanNumber(text, range))).toEqual([0, 5, 4.35, 2.5, 1])
  for (const none of ['1e309', '1e3', 'NaN', 'Infinity', '-1', '5.1', '0x1', '', ' ', '1 2', '9'.repeat(400), '٣']) {
    expect([none, cleanNumber(none, range)]).toEqual([none, undefined])
  }
  expect(cleanInteger('2.0', range)).toBe(2)
  expect(cleanInteger('2.5', range)).toBeUndefined()
})

test('of a date stays what is possible', () => {
  expect(cleanDate({ year: '2024', month: '2', day: '29' })).toEqual({ year: 2024, month: 2, day: 29 })
  expect(cleanDate({ year: '2023', month: '02', day: '29' })).toEqual({ year: 2023, month: 2 })
  expect(cleanDate({ year: '2023', month: '13', day: '1' })).toEqual({ year: 2023 })
  expect(cleanDate({ year: '-1', month: '1', day: '1' })).toEqual({})
  expect(cleanDate({ month: '1', day: '1' })).toEqual({})
  const texts: [string, object][] = [
    ['2003', { year: 2003 }],
    ['2003-05', { year: 2003, month: 5 }],
    ['2003-05-01T00:00:00+00:00', { year: 2003, month: 5, day: 1 }],
    ['2003/5/31', { year: 2003, month: 5, day: 31 }],
    ['May 2003', { year: 2003 }],
    ['c. 1899', { year: 1899 }],
    ['01/05/2003', { year: 2003 }],
    ['0101-01-01T00:00:00+00:00', {}],
    ['99999-99-99', {}],
    ['2003-99-99', { year: 2003 }],
    ['no date', {}],
    ['', {}],
  ]
  for (const [text, date] of texts) expect([text, cleanDateText(text)]).toEqual([text, date])
})

test('a language is one that people speak, in its shortest form', () => {
  const languages: [string, string | undefined][] = [
    ['eng', 'en'],
    ['EN', 'en'],
    ['ger', 'de'],
    ['deu', 'de'],
    ['chi', 'zh'],
    ['pt_BR', 'pt-BR'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['en_US.UTF-8', 'en-US'],
    ['English', 'en'],
    ['deutsch', 'de'],
    ['日本語', 'ja'],
    ['yue', 'yue'],
    ['xx', undefined],
    ['und', undefined],
    ['zxx', undefined],
    ['../x', undefined],
    ['klingonish', undefined],
    ['e', undefined],
    ['', undefined],
    ['en-'.repeat(100), undefined],
  ]
  for (const [text, language] of languages) expect([text, cleanLanguage(text)]).toEqual([text, language])
})

test('an ISBN has the right check digit and thirteen digits', () => {
  for (const written of [
    '0-553-28368-5',
    'ISBN 0553283685',
    'urn:isbn:9780553283686',
    'ISBN-13: 978-0-553-28368-6',
    ' 978 0 553 28368 6 ',
  ]) {
    expect([written, cleanIsbn(written)]).toEqual([written, '9780553283686'])
  }
  expect(cleanIsbn('080442957X')).toBe('9780804429573')
  for (const none of ['9780553283687', '0553283684', '4006381333931', 'X'.repeat(10), '97805532836860', 'isbn', '']) {
    expect([none, cleanIsbn(none)]).toEqual([none, undefined])
  }
})

test('an address is one of the web, with no password in it', () => {
  expect(cleanUrl(' https://a.example/x?y=1#z ')).toBe('https://a.example/x?y=1#z')
  for (const none of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://',
    'https://a:b@c.example/',
    'https://a@c.example/',
  ]) {
    expect([none, cleanUrl(none)]).toEqual([none, undefined])
  }
  expect(cleanUrl(`https://a.example/${'x'.repeat(3000)}`)).toBeUndefined()
})

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc
    .array(
      fc.constantFrom(
        '<p>',
        '</p>',
        '<br',
        '>',
        '<!--',
        '-->',
        '&lt;',
        '&#60;',
        '&amp;',
        '\u001b',
        '[31m',
        ' \n',
        '\ud83d',
        '\ude00',
        'e',
        '\u0301',
      ),
      {
        maxLength: 30,
      },
    )
    .map((parts) => parts.join('')),
)

// oxlint-disable-next-line no-control-regex -- These are what must not be in it.
const unfit = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u

test('whatever the text, what is kept of it is fit to keep', () => {
  fc.assert(
    fc.property(anything, (text) => {
      for (const clean of [cleanLine(text), cleanSummary(text), ...cleanList(splitList(text))]) {
        if (clean === undefined) continue
        expect(clean).not.toMatch(unfit)
        expect(clean).toBe(clean.normalize('NFC').trim())
        expect(clean).not.toBe('')
      }
    }),
    { numRuns: 3000 },
  )
})

test('a clean line is clean: cleaned again it is the same', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const once = cleanLine(text)
      expect(cleanLine(once)).toBe(once)
    }),
    { numRuns: 3000 },
  )
})
