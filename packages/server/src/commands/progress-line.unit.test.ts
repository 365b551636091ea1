import { expect, test } from 'vitest'
import { progressLine } from './progress-line.ts'

const written = (isTTY: boolean, columns = 80) => {
  const text: string[] = []
  return { text, isTTY, columns, write: (part: string) => text.push(part) }
}

test('CFG-6 at a terminal a bar moves in one line, which is never longer than the terminal is wide', () => {
  const output = written(true, 49)
  const line = progressLine(output)
  line.show({ label: 'Manga', step: 'reading', done: 0, total: 8 })
  line.show({ label: 'Manga', step: 'reading', done: 4, total: 8 })
  line.show({ label: 'A library with quite a long name', step: 'reading', done: 9, total: 8 })
  line.clear()

  expect(output.text).toEqual([
    '\r\u001B[K[                        ] Manga: reading 0 of 8',
    '\r\u001B[K[############            ] Manga: reading 4 of 8',
    '\r\u001B[K[########################] A library with quite ',
    '\r\u001B[K',
  ])
})

test('CFG-6 elsewhere there is a line for each step, and one now and then', () => {
  const output = written(false)
  let now = 0
  const line = progressLine(output, () => now)
  line.show({ label: 'Manga', step: 'waiting', done: 0, total: undefined })
  line.show({ label: 'Manga', step: 'looking', done: 0, total: undefined })
  line.show({ label: 'Manga', step: 'looking', done: 50, total: undefined })
  now = 10_000
  line.show({ label: 'Manga', step: 'looking', done: 70, total: undefined })
  line.show({ label: 'Manga', step: 'reading', done: 3, total: 80 })
  now = 30_000
  line.show({ label: 'Manga', step: 'reading', done: 3, total: 80 })

  expect(output.text.join('')).toBe('Manga: waiting\nManga: looking\nManga: looking 70\nManga: reading 3 of 80\n')
})
