import type { ExportFormat } from '@carrel/api'
import type { Value } from './catalogue.ts'

/** One line of an export: a series or a book, its values by the keys of the catalogue and in the order asked for. */
export interface Line {
  readonly kind: 'series' | 'book'
  readonly values: readonly { readonly key: string; readonly label: string; readonly value: Value }[]
}

/** It writes an export piece by piece: what stands before all lines, each of them, and what stands behind. */
export interface Writing {
  begin(columns: readonly string[]): string
  line(line: Line): string
  end(): string
}

export const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
}

export const writingOf = (format: ExportFormat): Writing => {
  if (format === 'json') return json()
  return format === 'csv' ? csv : markdown()
}

/** One list of objects, each of which says what it is. */
const json = (): Writing => {
  let isFirst = true
  return {
    begin: () => '[',
    line: ({ kind, values }) => {
      const separator = isFirst ? '\n' : ',\n'
      isFirst = false
      return (
        separator + JSON.stringify({ type: kind, ...Object.fromEntries(values.map(({ key, value }) => [key, value])) })
      )
    },
    end: () => (isFirst ? ']\n' : '\n]\n'),
  }
}

/** The format is that of RFC 4180, in UTF-8 without a byte order mark. */
const csv: Writing = {
  begin: (columns) => `${columns.join(',')}\r\n`,
  line: ({ values }) => `${values.map(({ value }) => cell(value)).join(',')}\r\n`,
  end: () => '',
}

/** Spreadsheets take text that begins so for something to work out, and may do whatever it says. */
const formulaStart = /^[\s\uFEFF]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/

const cell = (value: Value): string => {
  const plain = textOf(value)
  const text = typeof value !== 'number' && formulaStart.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const textOf = (value: Value): string => {
  if (value === null) return ''
  return typeof value === 'object' ? value.join('; ') : String(value)
}

const headings = { series: 'Series', book: 'Books' } as const

/** A heading for each series and book, and below it what is known of it; what is not known is left out. */
const markdown = (): Writing => {
  let kindBefore: Line['kind'] | undefined
  return {
    begin: () => '',
    line: ({ kind, values: [anchor, ...values] }) => {
      const section = kind === kindBefore ? '' : `# ${headings[kind]}\n\n`
      kindBefore = kind
      const filled = values
        .map(({ label, value }) => ({ label, text: marked(value) }))
        .filter(({ text }) => text !== '')
      const list = filled.map(({ label, text }) => `- **${label}:** ${text}\n`).join('')
      return `${section}## ${marked(anchor?.value ?? '')}\n\n${list}${list === '' ? '' : '\n'}`
    },
    end: () => '',
  }
}

/** The text stays on one line, and none of its characters means anything to Markdown or HTML. */
const marked = (value: Value): string => {
  const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : textOf(value)
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]<>|~#&!]/g, String.raw`\$&`)
}
