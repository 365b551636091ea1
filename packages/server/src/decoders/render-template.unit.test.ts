import { assert, asyncProperty, constantFrom, jsonValue, string, tuple, array } from 'fast-check'
import { expect, test } from 'vitest'
import { renderTemplate } from './render-template.ts'

const context = {
  type: 'series',
  metadata: {
    title: 'Yotsuba&!',
    genres: ['Comedy', 'Slice of life'],
    authors: [{ name: 'Kiyohiko Azuma', role: 'author' }],
    year: 2003,
    summary: null,
  },
  customMetadata: { shelf: 'B4', bought: '2021-03-04T05:06:07.000Z', price: 12.5, tags: [] },
}
const rendered = (template: string) => renderTemplate({ template, context })
const textOf = async (template: string) => (await rendered(template)).text

test.each([
  ['{{metadata.title}} <b>', 'Yotsuba&! <b>'],
  ['{{#each metadata.genres}}- {{this}}\n{{/each}}', '- Comedy\n- Slice of life\n'],
  ['{{#if (eq type "series")}}yes{{else}}no{{/if}}', 'yes'],
  ['{{#ifEquals type "book"}}yes{{else}}no{{/ifEquals}}', 'no'],
  ['{{#exists metadata.summary}}yes{{else}}no{{/exists}}', 'no'],
  ['{{default metadata.summary "nothing"}}', 'nothing'],
  [
    '{{join metadata.genres " / "}} {{length metadata.genres}} {{first metadata.genres}}',
    'Comedy / Slice of life 2 Comedy',
  ],
  ['{{formatDate customMetadata.bought "D MMMM YYYY"}}', '4 March 2021'],
  ['{{math customMetadata.price "*" 2}} {{math 1 "/" 0}}|', '25 |'],
  ['{{uppercase (replace customMetadata.shelf "4" "5")}} {{padStart 7 3 "0"}}', 'B5 007'],
  ['{{truncate metadata.title 3}} {{urlencode "a b&c"}}', 'Yot… a%20b%26c'],
  ['{{#if (and (gt metadata.year 2000) (lt metadata.year 2010))}}early{{/if}}', 'early'],
  ['{{#if (oneOf type "book" "series")}}x{{/if}}{{#if (includes metadata.title "&")}}y{{/if}}', 'xy'],
  ['{{json customMetadata.tags}} {{lookup metadata.genres 1}} {{capitalize "ab"}}', '[] Slice of life Ab'],
  ['{{#with (lookup metadata.authors 0)}}{{name}}{{/with}}', 'Kiyohiko Azuma'],
])('CAT-3 %s', async (template, text) => {
  expect(await rendered(template)).toEqual({ text, truncated: false })
})

test('CAT-3 a template reaches no prototype, no function, no partial and no log', async () => {
  const hostile = [
    '{{constructor}}|{{constructor.constructor}}|{{metadata.__proto__}}|{{metadata.title.constructor}}',
    '{{lookup metadata "constructor"}}|{{lookup metadata "__proto__"}}|{{lookup (lookup this "constructor") "name"}}',
    '{{#with "s" as |text|}}{{text.split}}{{text.sub.apply}}{{/with}}',
    '{{#each this}}{{#with (lookup this "constructor")}}{{name}}{{/with}}{{/each}}',
    '{{metadata.genres.push}}{{metadata.genres.map}}{{metadata.toString}}{{metadata.hasOwnProperty}}',
  ]
  for (const template of hostile)
    expect([template, (await textOf(template)).replaceAll('|', '').trim()]).toEqual([template, ''])
  for (const template of [
    '{{> partial}}',
    '{{#*inline "x"}}{{/inline}}{{> x}}',
    '{{log "x"}}',
    '{{#nothing',
    '{{math}',
  ]) {
    const { text, error = '' } = await rendered(template)
    expect([template, text, error.length > 0]).toEqual([template, '', true])
  }
})

test('CAT-3 a template that never ends is stopped, and says so; one that says too much is cut', async () => {
  const loop = '{{#each many}}'.repeat(7) + 'x' + '{{/each}}'.repeat(7)
  const many = { many: Array.from({ length: 200 }, (_, index) => ({ index })) }
  const nested = loop.replaceAll('many', '@root.many')
  expect(await renderTemplate({ template: nested, context: many })).toEqual({
    text: '',
    truncated: false,
    error: 'The template takes longer than a second, and was stopped.',
  })
  const long = await renderTemplate({ template: '{{#each many}}0123456789{{json @root.many}}{{/each}}', context: many })
  expect([long.text.length, long.truncated]).toEqual([100_000, true])
})

test('CAT-3 any text is a template or a clear refusal', async () => {
  const parts = constantFrom(
    '{{',
    '}}',
    '{{#if a}}',
    '{{/if}}',
    '{{else}}',
    '{{{',
    '}}}',
    '(',
    ')',
    '"',
    'lookup',
    'this.',
    '../',
    '@root',
    '{{!--',
    '&',
    '\u0000',
  )
  const template = array(tuple(parts, string({ maxLength: 5 }))).map((all) => all.flat().join(' '))
  await assert(
    asyncProperty(template, jsonValue(), async (text, value) => {
      const { text: out, error } = await renderTemplate({ template: text, context: { a: value } })
      expect(out.length <= 100_000 && (error === undefined || (out === '' && error.length > 0))).toBe(true)
    }),
    { numRuns: 150 },
  )
})
