import { array, assert, boolean, constantFrom, double, oneof, property, record, string } from 'fast-check'
import { expect, test } from 'vitest'
import type { Value } from './catalogue.ts'
import { type Line, writingOf } from './formats.ts'

const line = (kind: Line['kind'], ...values: Value[]): Line => ({
  kind,
  values: values.map((value, index) => ({ key: `key${index}`, label: `Label ${index}`, value })),
})

const written = (format: 'json' | 'csv' | 'md', columns: readonly string[], lines: readonly Line[]): string => {
  const writing = writingOf(format)
  return writing.begin(columns) + lines.map((each) => writing.line(each)).join('') + writing.end()
}

/** It reads RFC 4180, written apart from what is tested. */
const cellsOf = (text: string): string[][] => {
  const rows: string[][] = [[]]
  for (let index = 0; index < text.length;) {
    const rest = text.slice(index)
    const [all = '', quoted, plain = ''] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))/.exec(rest) ?? []
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    index += all.length
    if (text.startsWith('\r\n', index)) {
      index += 2
      if (index < text.length) rows.push([])
    } else if (text[index] === ',') index += 1
    else if (index < text.length)
      throw new Error(`Neither a comma nor the end of a line: ${text.slice(index, index + 20)}`)
  }
  return rows
}

const text = oneof(
  string({ unit: 'binary' }),
  array(constantFrom('"', ',', '\r\n', '\n', '=', 'a', '; ')).map((all) => all.join('')),
)
const values = record({
  word: text,
  words: array(text, { maxLength: 3 }),
  number: double({ noNaN: true, noDefaultInfinity: true }),
  truth: boolean(),
})

test('CSV is read back as it was meant, whatever stands in it', () => {
  assert(
    property(array(values, { minLength: 1, maxLength: 4 }), (all) => {
      const lines = all.map(({ word, words, number, truth }) => line('series', word, words, number, truth, null))
      const [head, ...rows] = cellsOf(written('csv', ['a', 'b', 'c', 'd', 'e'], lines))
      expect(head).toEqual(['a', 'b', 'c', 'd', 'e'])
      const harmless = (cell: string | undefined) =>
        cell?.replace(/^'(?=[\s\uFEFF]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n])/, '')
      expect(rows.map(([word, words, ...rest]) => [harmless(word), harmless(words), ...rest])).toEqual(
        all.map(({ word, words, number, truth }) => [
          harmless(word),
          harmless(words.join('; ')),
          String(number),
          String(truth),
          '',
        ]),
      )
    }),
  )
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '=HYPERLINK("http://evil","x")'])(
  'CSV: no spreadsheet works out %j',
  (formula) => {
    const [, row] = cellsOf(written('csv', ['a', 'b'], [line('series', formula, [formula, 'x'])]))
    expect(row).toEqual([`'${formula}`, `'${formula}; x`])
  },
)

test('CSV: a number below zero stays one', () => {
  expect(written('csv', ['a'], [line('book', -1.5)])).toBe('a\r\n-1.5\r\n')
})

test('JSON is one list of objects that say what they are, also an empty one', () => {
  expect(JSON.parse(written('json', [], []))).toEqual([])
  expect(JSON.parse(written('json', [], [line('series', 'One', ['a', 'b']), line('book', null, true)]))).toEqual([
    { type: 'series', key0: 'One', key1: ['a', 'b'] },
    { type: 'book', key0: null, key1: true },
  ])
})

test('Markdown: nothing that stands in it means anything, and what is not known is left out', () => {
  const hostile = '# a\n<script>x</script> [b](javascript:c) ![d](e) *f* `g` | h & i'
  const lines = [
    line('series', hostile, hostile, null, [], ['a', 'b'], false),
    line('series', 'Bare', null),
    line('book', 'Last'),
  ]
  expect(written('md', [], lines)).toBe(
    [
      '# Series',
      '',
      String.raw`## \# a \<script\>x\</script\> \[b\](javascript:c) \!\[d\](e) \*f\* \`g\` \| h \& i`,
      '',
      String.raw`- **Label 1:** \# a \<script\>x\</script\> \[b\](javascript:c) \!\[d\](e) \*f\* \`g\` \| h \& i`,
      '- **Label 4:** a; b',
      '- **Label 5:** no',
      '',
      '## Bare',
      '',
      '# Books',
      '',
      '## Last',
      '',
      '',
    ].join('\n'),
  )
})
